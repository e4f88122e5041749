export interface XmlMarkup {
  readonly markup: string
}

type XmlPart = string | number | XmlMarkup | readonly XmlMarkup[] | undefined

/** Escapes interpolated values and removes characters that XML 1.0 does not allow. */
export function xml(texts: TemplateStringsArray, ...parts: readonly XmlPart[]): XmlMarkup {
  const markup = texts.map((text, index) => text + written(parts[index])).join('')
  return { markup }
}

function written(part: XmlPart): string {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

/** Matches all characters outside the Char production (XML 1.0, 2.2). */
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

export const isXmlText = (text: string): boolean => text.search(forbidden) < 0

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // XML parsers would normalize a carriage return to a line feed.
  '\r': '&#13;',
}

const escaped = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>"'\r]/g, (character) => entities[character] ?? '')
