import { createHash } from 'node:crypto'
import { readMarks } from './marks.ts'

/** One of five sets of the doubled files, or all of them. */
export type Fifth = 0 | 1 | 2 | 3 | 4 | 'all'

/** Changes every day (UTC), so that the embedded database runs every doubled file within five days. */
export const fifthOf = (now: Date): Fifth => (Math.floor(now.getTime() / 86_400_000) % 5) as Fifth

export function readFifth(text: string): Fifth | undefined {
  if (text === 'all') return 'all'
  return /^[0-4]$/.test(text) ? (Number(text) as Fifth) : undefined
}

/**
 * Whether a doubled file runs on the embedded database when most of these files run only on the server: the flows of a
 * default start, the files that are about the embedded database, and a fifth of the others.
 */
export function runsEmbedded(file: string, fifth: Fifth): boolean {
  const { isAboutEmbedded, isDefaultStart } = readMarks(file)
  return isAboutEmbedded || isDefaultStart || fifthWith(file) === fifth
}

export const runsOnServer = (file: string): boolean => !readMarks(file).isAboutEmbedded

/** Depends on the name only, so that adding a file does not move the others. */
const fifthWith = (file: string): number => createHash('sha256').update(file).digest().readUInt32BE() % 5
