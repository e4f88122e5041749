export interface HtmlNode {
  type: string
  value?: string
  tagName?: string
  properties?: Record<string, unknown>
  children?: HtmlNode[]
}

type Parts = ReadonlyMap<string, number>

/** Counts elements by tag name (`script`), and attributes by tag and attribute name (`img src`). */
export function partsOf(tree: HtmlNode): Parts {
  const parts = new Map<string, number>()
  const count = (name: string) => parts.set(name, (parts.get(name) ?? 0) + 1)
  const visit = ({ tagName, properties, children = [] }: HtmlNode): void => {
    if (tagName !== undefined) {
      count(tagName)
      for (const name of Object.keys(properties ?? {})) count(`${tagName} ${attributeName(name)}`)
    }
    for (const child of children) visit(child)
  }
  visit(tree)
  return parts
}

const maxNames = 20

/** Lists removed elements and attributes, such as `2 script`. Attributes of removed elements are not listed. */
export function missingFrom(before: Parts, after: Parts): string[] {
  const lost = [...before]
    .map(([name, times]) => ({ name, times: times - (after.get(name) ?? 0) }))
    .filter(({ name, times }) => times > 0 && (!name.includes(' ') || after.has(name.split(' ')[0] ?? '')))
  const named = lost.slice(0, maxNames).map(({ name, times }) => `${times} ${name.slice(0, 60)}`)
  return lost.length > maxNames ? [...named, `${lost.length - maxNames} more kinds`] : named
}

const attributeName = (property: string): string => (property === 'className' ? 'class' : property.toLowerCase())
