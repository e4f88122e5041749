/** Finished XML, as opposed to text that is still to be written into it. */
export interface Markup {
  readonly markup: string
}

type XmlPart = string | number | Markup | readonly Markup[] | undefined

/**
 * XML from a template. Whatever is put into it is text, in an element or between double quotes, and cannot be anything
 * else: it is escaped, and what no XML 1.0 document may contain is left out. `undefined` is nothing.
 */
export function xml(texts: TemplateStringsArray, ...parts: readonly XmlPart[]): Markup {
  const markup = texts.map((text, index) => text + written(parts[index])).join('')
  return { markup }
}

function written(part: XmlPart): string {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

/** All but the Char of XML 1.0, 2.2: most controls, halves of surrogate pairs, and two that are no characters. */
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // A parser would make a line feed of it.
  '\r': '&#13;',
}

const escaped = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>"'\r]/g, (character) => entities[character] ?? '')
