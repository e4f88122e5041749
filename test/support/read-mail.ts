/** The decoded content of an email. */
export interface ReadMail {
  /** The header fields by lowercase name. If a field is repeated, the last value. */
  headers: Map<string, string>
  from: string
  to: string
  subject: string
  text: string
  html: string
}

/**
 * Supports the parts of MIME (RFC 2045 to 2047) that are common in emails: nested multiparts, quoted-printable and
 * base64, and encoded words.
 */
export function readMail(raw: Buffer): ReadMail {
  const bodies = new Map<string, string>()
  const { headers } = readPart(raw.toString('latin1'), bodies)
  const field = (name: string) => headers.get(name) ?? ''
  return {
    headers,
    from: field('from'),
    to: field('to'),
    subject: field('subject'),
    text: bodies.get('text/plain') ?? '',
    html: bodies.get('text/html') ?? '',
  }
}

// Until they are decoded with their own charset, parts are latin1 strings in which each character is a byte.
function readPart(source: string, bodies: Map<string, string>): { headers: Map<string, string> } {
  const split = /\r?\n\r?\n/.exec(source)
  const headers = readHeaders(split ? source.slice(0, split.index) : source)
  const content = split ? source.slice(split.index + split[0].length) : ''
  const { type, parameters } = readContentType(headers.get('content-type') ?? 'text/plain')

  const boundary = parameters.get('boundary')
  if (boundary) {
    for (const part of splitParts(content, boundary)) readPart(part, bodies)
  } else if (!bodies.has(type)) {
    const bytes = decodeTransfer(content, headers.get('content-transfer-encoding'))
    bodies.set(type, new TextDecoder(parameters.get('charset') ?? 'utf-8').decode(bytes))
  }
  return { headers }
}

function readHeaders(block: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of block.replace(/\r?\n(?=[ \t])/g, '').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim()))
  }
  return headers
}

function decodeWords(value: string): string {
  const joined = value.replace(/(=\?[^?]+\?[bq]\?[^?]*\?=)\s+(?==\?)/gi, '$1')
  const decoded = joined.replace(/=\?([^?]+)\?([bq])\?([^?]*)\?=/gi, (_, charset, kind, text) => {
    const bytes = kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : fromQuoted(text.replaceAll('_', ' '))
    return new TextDecoder(charset).decode(bytes)
  })
  return decoded === value ? Buffer.from(value, 'latin1').toString('utf8') : decoded
}

function readContentType(value: string): { type: string; parameters: Map<string, string> } {
  const [type = '', ...rest] = value.split(';')
  const parameters = new Map<string, string>()
  for (const parameter of rest) {
    const [name = '', ...text] = parameter.split('=')
    parameters.set(
      name.trim().toLowerCase(),
      text
        .join('=')
        .trim()
        .replace(/^"(.*)"$/, '$1'),
    )
  }
  return { type: type.trim().toLowerCase(), parameters }
}

function splitParts(content: string, boundary: string): string[] {
  const [, ...parts] = `\n${content}`.split(new RegExp(`\\r?\\n--${RegExp.escape(boundary)}`))
  const end = parts.findIndex((part) => part.startsWith('--'))
  return parts.slice(0, end < 0 ? undefined : end).map((part) => part.replace(/^[ \t]*\r?\n/, ''))
}

function decodeTransfer(content: string, encoding = '7bit'): Buffer {
  if (encoding.toLowerCase() === 'base64') return Buffer.from(content, 'base64')
  if (encoding.toLowerCase() === 'quoted-printable') return fromQuoted(content.replace(/=[ \t]*\r?\n/g, ''))
  return Buffer.from(content, 'latin1')
}

function fromQuoted(text: string): Buffer {
  const bytes = text.replace(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
