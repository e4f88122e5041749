/** An element with the ids to which it refers. */
export interface DrawnElement {
  readonly name: string
  readonly children: DrawnElement[]
  readonly references: string[]
  /** What drawing it costs without its children: 1 for a shape, more for a large picture. */
  cost: number
}

/** Elements and references within one another. Browsers and this function use the stack for each. */
const maxDepth = 500

/**
 * Returns about how many shapes a browser draws, where every reference counts as a copy of its target for the
 * element and for each descendant, because a group's fill applies to them all.
 * Infinite if references form a cycle or a long chain.
 */
export function drawnElements(root: DrawnElement, ids: ReadonlyMap<string, DrawnElement>): number {
  const counts = new Map<DrawnElement, number>()
  const count = (element: DrawnElement, depth: number): number => {
    if (depth > maxDepth) return Number.POSITIVE_INFINITY
    const known = counts.get(element)
    if (known !== undefined) return known
    // The value while the element is being counted.
    counts.set(element, Number.POSITIVE_INFINITY)
    let content = element.cost
    for (const child of element.children) content += count(child, depth + 1)
    let total = content
    for (const id of element.references) {
      const target = ids.get(id)
      if (target) total += content * count(target, depth + 1)
    }
    counts.set(element, total)
    return total
  }
  return count(root, 0)
}
