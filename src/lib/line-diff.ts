export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Above this number of comparisons, the entire changed part is shown as removed and then added. */
const maxComparisons = 4_000_000

export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const as = (kind: DiffLine['kind']) => (text: string) => ({ kind, text })
  return [
    ...old.slice(0, start).map(as('same')),
    ...diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(as('same')),
  ]
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))

function diffMiddle(old: readonly string[], now: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text })
  const added = (text: string): DiffLine => ({ kind: 'added', text })
  if (old.length * now.length > maxComparisons) return [...old.map(removed), ...now.map(added)]
  const lengths = commonLengths(old, now)
  const result: DiffLine[] = []
  let [at, to] = [0, 0]
  while (at < old.length && to < now.length) {
    if (old[at] === now[to]) {
      result.push({ kind: 'same', text: old[at]! })
      at++
      to++
    } else if (lengths[at + 1]![to]! >= lengths[at]![to + 1]!) result.push(removed(old[at++]!))
    else result.push(added(now[to++]!))
  }
  return [...result, ...old.slice(at).map(removed), ...now.slice(to).map(added)]
}

/** For each pair of positions, the length of the longest common subsequence of the remaining lines. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1))
  for (let at = old.length - 1; at >= 0; at--)
    for (let to = now.length - 1; to >= 0; to--)
      lengths[at]![to] =
        old[at] === now[to] ? lengths[at + 1]![to + 1]! + 1 : Math.max(lengths[at + 1]![to]!, lengths[at]![to + 1]!)
  return lengths
}
