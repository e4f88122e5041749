const named = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', hellip: '…' }))

/** Converts HTML to plain text for plain-text columns. The result is not sanitized, so never use it as HTML. */
export const withoutMarkup = (html: string): string =>
  decoded(
    withoutComments(html)
      .replace(/<(br|\/p|\/div|\/li)\b[^<>]*>\n?/gi, '\n')
      .replace(/<\/?[a-z][^<>]*>/gi, ''),
  )
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named.get(name.toLowerCase()) ?? whole
    const code = Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10)
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : ''
  })

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed.
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

export const withoutControls = (text: string): string => text.replace(controls, '').toWellFormed()

export const shortened = (text: string, max: number): string =>
  [...withoutControls(text).normalize('NFC').trim()].slice(0, max).join('').trim()

/** Uses a single pass. With unclosed comments, a regular expression would take quadratic time. */
export function withoutComments(html: string, isGone: (comment: string) => boolean = () => true): string {
  let kept = ''
  let from = 0
  for (;;) {
    const start = html.indexOf('<!--', from)
    const end = start < 0 ? -1 : html.indexOf('-->', start + 4)
    if (end < 0) return kept + html.slice(from)
    const after = end + 3
    kept += isGone(html.slice(start, after)) ? html.slice(from, start) : html.slice(from, after)
    from = after
  }
}
