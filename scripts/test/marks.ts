import { readFileSync } from 'node:fs'

/**
 * A test file states what it needs in a comment such as `// Setup: alone, own process`, usually with the reason in the
 * next line.
 */
const known = {
  /** Runs in a process of its own, for example because it changes the process's state. */
  'own process': 'isOwnProcess',
  /** Runs while nothing else is running, because it measures durations or checks time limits. */
  alone: 'isAlone',
  /** Its subject is the embedded database, so it runs there and not on the server. */
  'embedded database': 'isAboutEmbedded',
  /** A sign-in, session or module flow of a service that is started with its defaults: always runs on both databases. */
  'default start': 'isDefaultStart',
} as const

export type Marks = Record<(typeof known)[keyof typeof known], boolean>

export function readMarks(file: string): Marks {
  const line = /^\/\/ Setup:(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1]
  const marks: Marks = { isOwnProcess: false, isAlone: false, isAboutEmbedded: false, isDefaultStart: false }
  for (const word of line?.split(',').map((part) => part.trim()) ?? []) {
    if (!Object.hasOwn(known, word))
      throw new Error(`${file}: "// Setup: ${word}" is unknown; use ${Object.keys(known).join(', ')}`)
    marks[known[word as keyof typeof known]] = true
  }
  return marks
}
