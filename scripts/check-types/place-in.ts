import type { Place, Segment } from './parse-template.ts'

/** Returns the place in the tree of a line and column (from 1) in the code of the segments. */
export function placeIn(segments: readonly Segment[], line: number, column: number): Place | undefined {
  const lines = segments
    .map(({ code }) => code)
    .join('')
    .split('\n')
  const offset = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0) + column - 1
  let start = 0
  let last: Place | undefined
  for (const { code, place } of segments) {
    const rest = offset - start
    if (place) last = { ...place, line: place.line + code.slice(0, Math.max(0, rest)).split('\n').length - 1 }
    if (rest < code.length) return last
    start += code.length
  }
  return last
}
