import sax from 'sax'
import { isXmlText, xml } from '../../lib/xml.ts'
import { maxSide, type RasterType, rasterSize } from '../raster-size.ts'
import { allowedAttributes, allowedElements, animations, gradients, isAnimated, textElements } from './allowed.ts'
import { type DrawnElement, drawnElements } from './expansion.ts'
import { fragmentIn, fragmentsOf, problemInCss } from './references.ts'

const limits = { depth: 64, elements: 5_000, drawn: 50_000 }

const svgNamespace = 'http://www.w3.org/2000/svg'
const xlinkNamespace = 'http://www.w3.org/1999/xlink'

/** Says what the SVG must not contain. */
class UnacceptableSvg extends Error {}

/**
 * Returns a copy of the SVG that contains only what a logo needs, or what the SVG must not contain. Browsers receive
 * the copy, so a difference between their parser and this one has no effect.
 */
export function plainSvg(bytes: Buffer): { text: string } | { problem: string } {
  try {
    return { text: rebuilt(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
  } catch (error) {
    if (error instanceof UnacceptableSvg) return { problem: error.message }
    if (error instanceof TypeError) return { problem: 'an encoding other than UTF-8' }
    throw error
  }
}

function reject(what: string): never {
  throw new UnacceptableSvg(what)
}

type Attribute = sax.QualifiedAttribute

function rebuilt(text: string): string {
  const parser = sax.parser(true, { xmlns: true, strictEntities: true } as sax.SAXOptions)
  const open: DrawnElement[] = []
  const ids = new Map<string, DrawnElement>()
  const styled: string[] = []
  let [output, elements, foreign] = ['', 0, 0]
  let root: DrawnElement | undefined
  parser.onerror = () => reject(`an XML error in line ${parser.line + 1}`)
  parser.onprocessinginstruction = ({ name, body }) => {
    const [, encoding = 'utf-8'] = /\bencoding\s*=\s*["']([^"']*)/.exec(body) ?? []
    if (name !== 'xml') reject('a processing instruction')
    if (!/^(utf-8|us-ascii)$/i.test(encoding)) reject(`the encoding ${encoding.slice(0, 20)} instead of UTF-8`)
  }
  parser.ondoctype = (type) => {
    if (type.includes('[')) reject('an entity or another declaration in its document type')
  }
  parser.onopentag = (tag) => {
    const { local, uri, attributes, isSelfClosing } = tag as sax.QualifiedTag
    if (++elements > limits.elements) reject(`more than ${limits.elements} elements`)
    if (open.length + foreign > limits.depth) reject(`elements nested more than ${limits.depth} levels deep`)
    // Elements of drawing programs, such as Inkscape, are not drawn and are left out with their content.
    if (foreign > 0 || isLeftOut(local, uri)) return void foreign++
    if (!allowedElements.has(local) || (!root && local !== 'svg')) reject(`the element ${local.slice(0, 40)}`)
    const element: DrawnElement = { name: local, children: [], references: [], cost: 1 }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
    const all = Object.values(attributes)
    // Drawing programs write both forms for old readers. A second `href` would be an XML error.
    const reference = attributes.href ?? all.find(isReference)
    const written = all
      .filter((attribute) => !isReference(attribute) || attribute === reference)
      .map((attribute) => writtenAttribute(attribute, element))
    const id = attributes.id?.value
    if (id !== undefined && !ids.has(id)) ids.set(id, element)
    output += `<${local}${element === root ? ` xmlns="${svgNamespace}"` : ''}${written.join('')}${isSelfClosing ? '/' : ''}>`
  }
  parser.ontext = parser.oncdata = (part) => {
    const { name = '' } = open.at(-1) ?? {}
    if (foreign > 0 || !textElements.has(name)) return
    assertXmlText(part)
    output += xml`${part}`.markup
    if (name === 'style') styled.push(part)
  }
  parser.onclosetag = () => {
    if (foreign > 0) return void foreign--
    const { name } = open.pop() ?? { name: '' }
    if (!parser.tag.isSelfClosing) output += `</${name}>`
  }
  parser.write(text).close()
  checkStyles(styled.join(''), ids)
  if (!root || drawnElements(root, ids) > limits.drawn) reject('references that repeat too many elements')
  return output
}

const isLeftOut = (local: string, uri: string): boolean =>
  uri === svgNamespace ? local === 'metadata' : uri !== '' && uri !== 'http://www.w3.org/1999/xhtml'

const isReference = ({ local, prefix, uri }: Attribute): boolean =>
  local === 'href' && (prefix === '' || uri === xlinkNamespace)

/** `xml` would remove such characters after the checks, which could join what they separate. */
function assertXmlText(text: string): void {
  if (!isXmlText(text)) reject('a character that XML does not allow')
}

function writtenAttribute(attribute: Attribute, element: DrawnElement): string {
  const { local, prefix, value } = attribute
  if (/^on/i.test(local)) reject('an event handler')
  if (isReference(attribute)) return writtenReference(value, element)
  if (prefix !== '' || !allowedAttributes.has(local)) return ''
  assertXmlText(value)
  if (/\d{40}/.test(value)) reject('a number of more than 40 digits')
  if (local === 'attributeName' && !isAnimated(value.trim())) reject(`an animation of ${value.trim().slice(0, 40)}`)
  if (local !== 'id' && local !== 'class') {
    const problem = problemInCss(value)
    if (problem) reject(problem)
    if (animations.has(element.name) && /url\(/i.test(value)) reject('an animated reference')
    element.references.push(...fragmentsOf(value))
  }
  return xml` ${local}="${value}"`.markup
}

function writtenReference(value: string, element: DrawnElement): string {
  const id = fragmentIn(value)
  if (element.name === 'image') element.cost = Math.ceil(pixelsOf(value) / pixelsOfShape)
  else if (id === undefined) reject('an external reference')
  else if (!animations.has(element.name)) element.references.push(id)
  return xml` href="${value}"`.markup
}

/** Decoding this many pixels costs about as much as drawing a shape, so at most 100 million are decoded. */
const pixelsOfShape = 2_000

function pixelsOf(value: string): number {
  const [, type, content = ''] = /^data:(image\/(?:png|jpeg|webp));base64,([A-Za-z0-9+/=\s]*)$/.exec(value) ?? []
  if (type === undefined) reject('an external reference')
  const sides = rasterSize(type as RasterType, Buffer.from(content, 'base64'))
  if (!sides || Math.max(...sides) > maxSide) reject(`a picture without dimensions or of more than ${maxSide} pixels`)
  return sides[0] * sides[1]
}

/** A style sheet applies to any number of elements, so the elements that its references repeat are not counted. */
function checkStyles(css: string, ids: ReadonlyMap<string, DrawnElement>): void {
  const problem = problemInCss(css)
  if (problem) reject(problem)
  for (const id of fragmentsOf(css)) {
    const target = ids.get(id)
    if (target && !gradients.has(target.name))
      reject(`a style sheet that refers to the ${target.name} ${id.slice(0, 40)} instead of an attribute that does`)
  }
}
