export interface DiffLine {
  kind: 'same' | 'removed' | 'added'
  text: string
}

const maxPairs = 250_000

/** The shortest edit by lines (longest common subsequence). Very long texts are shown as replaced. */
export function differenceOf(before: string, after: string): DiffLine[] {
  const [old, current] = [before.split('\n'), after.split('\n')]
  if (old.length * current.length > maxPairs) return [...lines('removed', old), ...lines('added', current)]
  const common = commonLengths(old, current)
  const edit: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < current.length) {
    const [left, right] = [old[row], current[column]]
    const isSame = left !== undefined && left === right
    if (isSame) edit.push({ kind: 'same', text: left })
    const isRemoved = !isSame && left !== undefined && (right === undefined || skipsOld(common, row, column))
    if (isRemoved) edit.push({ kind: 'removed', text: left })
    if (!isSame && !isRemoved) edit.push({ kind: 'added', text: right ?? '' })
    if (isSame || isRemoved) row++
    if (isSame || !isRemoved) column++
  }
  return edit
}

const lines = (kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] => texts.map((text) => ({ kind, text }))

const skipsOld = (common: number[][], row: number, column: number): boolean =>
  (common[row + 1]?.[column] ?? 0) >= (common[row]?.[column + 1] ?? 0)

/** The number of lines in common from each pair of lines on. */
function commonLengths(old: readonly string[], current: readonly string[]): number[][] {
  const lengths: number[][] = [new Array<number>(current.length + 1).fill(0)]
  for (const text of old.toReversed()) {
    const [below = []] = lengths
    const row = [0]
    for (let column = current.length - 1; column >= 0; column--) {
      const [right = 0] = row
      row.unshift(text === current[column] ? (below[column + 1] ?? 0) + 1 : Math.max(below[column] ?? 0, right))
    }
    lengths.unshift(row)
  }
  return lengths
}
