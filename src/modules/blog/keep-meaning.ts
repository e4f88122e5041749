import type { HtmlNode } from './removed-parts.ts'

/** Prevents ids in a body from having the same name as an id or a variable of the page. */
const prefix = 'user-content-'
const idForm = /^[^\s"'<>&\p{Cc}]{1,120}$/u
const heading = /^h[1-6]$/

/** The properties with a meaning in the elements that the Markdown parser creates. */
const ofMarkdown = new Set(['href', 'src', 'alt', 'title', 'align', 'start', 'id', 'type', 'checked'])

/** Removes the other properties, which sanitizing would remove and report as if the writer had written them. */
export function withoutParserProperties(tree: HtmlNode): HtmlNode {
  for (const { tagName, properties = {} } of elementsIn(tree)) {
    for (const name of Object.keys(properties))
      if (!ofMarkdown.has(name) && !(tagName === 'code' && name === 'className')) delete properties[name]
    if (properties.id === 'footnote-label') delete properties.id
  }
  return tree
}

/**
 * Replaces parts that sanitizing would remove: checkboxes become characters, and ids are prefixed, together with the
 * links to them. In Markdown, a heading that a link names, as on GitHub, gets an id.
 */
export function keepMeaning(tree: HtmlNode, { namesHeadings }: { namesHeadings: boolean }): HtmlNode {
  const elements = elementsIn(tree)
  const links = elements.flatMap(({ tagName, properties = {} }) => {
    const { href } = properties
    return tagName === 'a' && typeof href === 'string' && href.startsWith('#')
      ? [{ properties, fragment: href.slice(1), name: decoded(href.slice(1)) }]
      : []
  })
  if (namesHeadings) nameHeadings(elements, new Set(links.map(({ name }) => name)))
  const targets = prefixIds(elements)
  for (const { properties, fragment, name } of links)
    if (targets.has(name) && !fragment.startsWith(prefix)) properties.href = `#${prefix}${fragment}`
  for (const element of elements) markCheckbox(element)
  return tree
}

/** In document order. Does not call itself, because a body can be nested very deeply. */
function elementsIn(tree: HtmlNode): HtmlNode[] {
  const elements: HtmlNode[] = []
  const waiting = [tree]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.tagName !== undefined) elements.push(node)
    const { children = [] } = node
    for (let at = children.length - 1; at >= 0; at--) waiting.push(children[at]!)
  }
  return elements
}

/** Returns the names that links can use. Only the first element keeps an id that is used twice. */
function prefixIds(elements: readonly HtmlNode[]): ReadonlySet<string> {
  const targets = new Set<string>()
  for (const { tagName, properties = {} } of elements) {
    // The former way to write an id.
    if (tagName === 'a' && properties.id === undefined && typeof properties.name === 'string') {
      properties.id = properties.name
      delete properties.name
    }
    const { id } = properties
    if (typeof id !== 'string') continue
    const name = id.startsWith(prefix) ? id.slice(prefix.length) : id
    if (!idForm.test(name) || targets.has(name)) {
      delete properties.id
      continue
    }
    properties.id = prefix + name
    targets.add(name).add(prefix + name)
  }
  return targets
}

function nameHeadings(elements: readonly HtmlNode[], wanted: ReadonlySet<string>): void {
  const times = new Map<string, number>()
  for (const element of elements) {
    if (!heading.test(element.tagName ?? '')) continue
    const slug = headingSlug(textOf(element))
    const before = times.get(slug) ?? 0
    times.set(slug, before + 1)
    const name = before === 0 ? slug : `${slug}-${before}`
    element.properties ??= {}
    if (element.properties.id === undefined && wanted.has(name)) element.properties.id = name
  }
}

/** Forms names in the same way as GitHub. */
const headingSlug = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

const textOf = ({ value = '', children = [] }: HtmlNode): string => value + children.map(textOf).join('')

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function markCheckbox(element: HtmlNode): void {
  const { tagName, properties = {} } = element
  if (tagName !== 'input' || String(properties.type).toLowerCase() !== 'checkbox') return
  const isChecked = properties.checked !== undefined && properties.checked !== false
  for (const name of ['tagName', 'properties', 'children'] as const) delete element[name]
  Object.assign(element, { type: 'text', value: isChecked ? '\u2611' : '\u2610' })
}
