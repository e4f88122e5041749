/**
 * Returns the name of an active part of the SVG, or undefined if there is none. No logo needs active parts, because
 * browsers do not run them in image elements.
 */
export const activePart = (text: string): string | undefined =>
  activeParts.find(([, pattern]) => pattern.test(text))?.[0]

/** Matches a namespace prefix. XML allows any prefix for SVG. */
const prefix = /(?:[^\s<>:"'/]+:)?/.source

/** Matches the attributes before `attributeName`. Attribute values may contain ">". */
const attributes = /(?:[^<>"']|"[^"]*"|'[^']*')*?/.source

const animatedName = /\battributeName\s*=\s*["']\s*(?:[^\s"']+:)?(?:href|on)/.source

/**
 * Matches numeric references to ASCII characters, except tabs, line breaks and the five characters that have predefined
 * entities in XML.
 */
const disguise =
  /&#(?!(?:9|10|13|34|38|39|60|62|12[89]|1[3-9]\d|[2-9]\d\d|[1-9]\d{3,6}|x(?:[9ad]|2[267]|3[ce]|[89a-f][\da-f]|[1-9a-f][\da-f]{2,5}));)/i

const activeParts: [string, RegExp][] = [
  ['a script', new RegExp(`<\\s*${prefix}script|javascript:`, 'i')],
  ['an event handler', /\son\w+\s*=/i],
  ['a document inside', new RegExp(`<\\s*${prefix}(foreignObject|iframe|object|embed)`, 'i')],
  ['an entity', /<!ENTITY/i],
  ['a character reference that disguises text', disguise],
  ['a backslash', /\\/],
  ['elements of XHTML', /1999\/xhtml/i],
  [
    'an animation of a reference or an event handler',
    new RegExp(`<\\s*${prefix}(?:set|animate\\w*)\\s${attributes}${animatedName}`, 'i'),
  ],
  [
    'an external reference',
    /\b(href|src)\s*=\s*["'](?!#|data:image\/(png|jpeg|webp);)|url\(\s*["']?(?!#)|@import|image-set|\bsrcset\s*=/i,
  ],
]
