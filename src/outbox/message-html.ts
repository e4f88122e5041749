import { invalidField } from '../lib/errors.ts'

export type MessageHtmlNode = HtmlText | HtmlElement

export interface HtmlText {
  text: string
}

export interface HtmlElement {
  tag: string
  attributes: Record<string, string>
  children: MessageHtmlNode[]
}

const blocks = ['p', 'div', 'h1', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote', 'hr', 'br']
const allowedTags = [...blocks, 'strong', 'em', 'b', 'i', 'span', 'a']
const voidTags = ['br', 'hr']
const attributesOf = (tag: string): readonly string[] => (tag === 'a' ? ['href', 'class'] : ['class'])
const maxDepth = 12

const token =
  /<(?<closing>\/?)(?<tag>[a-zA-Z][a-zA-Z0-9]*)(?<attributes>(?:\s+[a-zA-Z-]+\s*=\s*"[^"<>]*")*)\s*\/?>|(?<text>[^<]+)|(?<stray><.{0,20})/gsu

export const isBlock = (tag: string): boolean => blocks.includes(tag)

export const isVoid = (tag: string): boolean => voidTags.includes(tag)

/**
 * Parses a small subset of HTML and rejects everything else so that the source has only one interpretation. The email
 * is generated from the returned nodes, never from the source. Throws VALIDATION_ERROR.
 */
export function parseHtml(field: string, source: string): MessageHtmlNode[] {
  const root: HtmlElement = { tag: '', attributes: {}, children: [] }
  const open: HtmlElement[] = [root]
  for (const { groups = {} } of source.matchAll(token)) {
    const parent = open.at(-1) ?? root
    const { closing, tag: spelled, attributes = '', text, stray } = groups
    if (stray !== undefined) throw invalidField(field, `contains "${stray}", which is not a tag; write &lt; for <`)
    if (text !== undefined) parent.children.push({ text: decode(field, text) })
    if (spelled === undefined) continue
    const tag = allowedTag(field, spelled)
    if (closing) {
      if (parent.tag !== tag || attributes !== '') throw invalidField(field, `</${tag}> closes no <${tag}>`)
      open.pop()
      continue
    }
    const element = { tag, attributes: readAttributes(field, tag, attributes), children: [] }
    parent.children.push(element)
    if (!isVoid(tag)) open.push(element)
    if (open.length > maxDepth) throw invalidField(field, `must not be nested more than ${maxDepth - 1} levels deep`)
  }
  const unclosed = open.at(-1)
  if (unclosed && unclosed !== root) throw invalidField(field, `<${unclosed.tag}> is not closed`)
  return root.children
}

function allowedTag(field: string, spelled: string): string {
  const tag = spelled.toLowerCase()
  if (allowedTags.includes(tag)) return tag
  throw invalidField(field, `must not contain <${tag.slice(0, 20)}>; allowed are ${allowedTags.join(', ')}`)
}

function readAttributes(field: string, tag: string, source: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [, spelled = '', value = ''] of source.matchAll(/([a-zA-Z-]+)\s*=\s*"([^"]*)"/g)) {
    const name = spelled.toLowerCase()
    if (!attributesOf(tag).includes(name)) throw invalidField(field, `<${tag}> must not have "${name.slice(0, 20)}"`)
    if (Object.hasOwn(attributes, name)) throw invalidField(field, `<${tag}> has "${name}" twice`)
    attributes[name] = decode(field, value)
  }
  return attributes
}

const named = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
])

function decode(field: string, text: string): string {
  return text.replace(/&(#?\w{1,20});/g, (entity, name: string) => {
    const code = /^#(\d{1,7})$/.exec(name)?.[1] ?? hexOf(name)
    const letter = code === undefined ? named.get(name) : letterOf(Number(code))
    if (letter === undefined) throw invalidField(field, `contains ${entity}; write the character itself`)
    return letter
  })
}

const hexOf = (name: string): number | undefined =>
  /^#x[\da-f]{1,6}$/i.test(name) ? Number.parseInt(name.slice(2), 16) : undefined

const letterOf = (code: number): string | undefined =>
  code <= 0x10ffff && /^[^\p{Cc}\p{Cs}]$/u.test(String.fromCodePoint(code)) ? String.fromCodePoint(code) : undefined
