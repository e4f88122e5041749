interface Category {
  id: string
  name: string
  parent_id: string | null
}

/** Each category is followed by its subcategories. A category whose parent is not in the list is at the top level. */
export function inTree<One extends Category>(categories: readonly One[]): (One & { depth: number })[] {
  const known = new Set(categories.map(({ id }) => id))
  const below = (parent: string | null, depth: number): (One & { depth: number })[] =>
    categories
      .filter(({ parent_id }) => (parent_id !== null && known.has(parent_id) ? parent_id : null) === parent)
      .flatMap((one) => [{ ...one, depth }, ...below(one.id, depth + 1)])
  return below(null, 0)
}
