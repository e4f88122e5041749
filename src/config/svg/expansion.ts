/** An element with the ids to which it refers. */
export interface DrawnElement {
  readonly name: string
  readonly children: DrawnElement[]
  readonly references: string[]
}

/** Elements and references within one another. Browsers and this function use the stack for each. */
const maxDepth = 500

/**
 * Returns the number of elements that a browser draws, in which every reference counts as a copy of its target.
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
    let total = 1
    for (const child of element.children) total += count(child, depth + 1)
    for (const id of element.references) {
      const target = ids.get(id)
      if (target) total += count(target, depth + 1)
    }
    counts.set(element, total)
    return total
  }
  return count(root, 0)
}
