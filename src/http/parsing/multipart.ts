import { invalidField } from '../../lib/errors.ts'

const crlf = '\r\n'
const limits = { parts: 20, head: 8 * 1024 }

export function boundaryOf(contentType: string | undefined): string | undefined {
  const [type, parameters] = headOf(contentType ?? '')
  const boundary = parameters.get('boundary')
  return type === 'multipart/form-data' && boundary && boundary.length <= 70 ? boundary : undefined
}

/** Returns the content of the named part (RFC 7578). Other parts and file names are ignored. */
export function partOf(body: Buffer, boundary: string, name: string, aliases: readonly string[] = []): Buffer {
  const names = [name, ...aliases]
  const delimiter = Buffer.from(`${crlf}--${boundary}`, 'latin1')
  let found: Buffer | undefined
  let at = firstPart(body, delimiter)
  for (let parts = 0; !isClose(body, at); parts++) {
    const head = body.indexOf(crlf + crlf, at)
    // In an empty part, the line break before the delimiter is also the end of the headers.
    const end = head < 0 ? -1 : body.indexOf(delimiter, head + crlf.length)
    if (end < 0 || head - at > limits.head) throw broken()
    if (parts >= limits.parts) throw invalidField('body', `must have at most ${limits.parts} parts`)
    if (names.includes(nameOf(body.toString('latin1', at, head)) ?? '')) {
      if (found) throw invalidField(name, 'must be a single part')
      found = body.subarray(head + 2 * crlf.length, end)
    }
    at = end + delimiter.length
  }
  if (!found) throw invalidField(name, 'is required, as a part of multipart/form-data')
  return found
}

/** Ignores the preamble. At the start of the body, the delimiter is not preceded by a line break. */
function firstPart(body: Buffer, delimiter: Buffer): number {
  const opening = delimiter.subarray(crlf.length)
  if (body.subarray(0, opening.length).equals(opening)) return opening.length
  const at = body.indexOf(delimiter)
  if (at < 0) throw broken()
  return at + delimiter.length
}

function isClose(body: Buffer, at: number): boolean {
  const next = body.toString('latin1', at, at + 2)
  if (next !== '--' && next !== crlf) throw broken()
  return next === '--'
}

function nameOf(head: string): string | undefined {
  const line = /^content-disposition:(.*)$/im.exec(head)?.[1]
  if (line === undefined) return undefined
  const [kind, parameters] = headOf(line)
  return kind === 'form-data' ? parameters.get('name') : undefined
}

const parameter = /\s*;\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/y

/** If a parameter is repeated, the first value is used. Quoted text is not searched for parameters. */
function headOf(text: string): [value: string, parameters: Map<string, string>] {
  const value = text.split(';', 1)[0] ?? ''
  const parameters = new Map<string, string>()
  parameter.lastIndex = value.length
  for (let match = parameter.exec(text); match; match = parameter.exec(text)) {
    const [, name = '', quoted, plain = ''] = match
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), quoted ?? plain)
  }
  return [value.trim().toLowerCase(), parameters]
}

const broken = () => invalidField('body', 'must be complete multipart/form-data')
