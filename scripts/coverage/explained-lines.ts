import type { UnreachedLine } from './unreached-lines.ts'

export interface UnreachedIn {
  file: string
  lines: UnreachedLine[]
}

/** Lines of a file that no test reaches, and why. */
export interface Explained {
  file: string
  /** Trimmed. A text that occurs several times is listed once for each unreached line. */
  lines: string[]
  reason: string
}

/** The unreached lines without an explanation, and the explained ones that do not exist or that a test reaches. */
export function compareWithExplained(unreached: UnreachedIn[], explained: Explained[]): string[] {
  const left = explained.flatMap(({ file, lines }) => lines.map((text) => ({ file, text })))
  const unexplained = unreached.flatMap(({ file, lines }) =>
    lines.flatMap(({ number, text }) => {
      const index = left.findIndex((one) => one.file === file && one.text === text)
      if (index >= 0) left.splice(index, 1)
      return index < 0 ? [`unreached and not explained: ${file}:${number} ${text}`] : []
    }),
  )
  return [...unexplained, ...left.map(({ file, text }) => `explained, but reached or absent: ${file} ${text}`)]
}
