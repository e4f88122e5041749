import type { Config } from '../../../config/load.ts'
import { defaultLang } from '../read-members.ts'
import type { Source } from './found.ts'
import type { Note } from './notes.ts'
import type { Written } from './write-post.ts'

/** What became of one post, or would become. */
export interface Outcome {
  outcome: 'taken' | 'known' | 'skipped'
  title: string
  id?: string
  slug?: string
  /** Where it was: with `slug`, all that a redirect needs. */
  address?: string
  reason?: string
  notes?: Note[]
}

/** How often something is not as the file has it, and a few examples: the lines of a report file have all. */
export interface Noted {
  times: number
  examples: string[]
}

const maxExamples = 3

export interface Report {
  format: string
  taken: number
  known: number
  skipped: number
  comments: number
  translations: number
  /** Of the posts that are or would be taken: how many each address has written, and who that is here. */
  authors: Map<string, { posts: number; userId: string | undefined }>
  /** Of the same posts: how many are in each language. */
  languages: Map<string, number>
  /** Whether the file has said so, and a named language would have overruled it. */
  isFileLanguage: boolean
  /** The language of whoever asks for none. */
  defaultLang: string
  /** Why posts were skipped, and what of those that were taken is not as it was; how often. */
  reasons: Map<string, number>
  notes: Map<string, Noted>
}

export const newReport = (config: Config, source: Source): Report => ({
  ...{ format: source.format, taken: 0, known: 0, skipped: 0, comments: 0, translations: 0 },
  ...{ authors: new Map(), languages: new Map(), reasons: new Map(), notes: new Map() },
  isFileLanguage: source.isLanguageOfAll && source.lang === undefined,
  defaultLang: defaultLang(config),
})

/** Of a post that is or would be taken. */
export function countTaken(
  report: Report,
  { comments, translations }: Written,
  { email = '', userId, lang }: { email: string | undefined; userId: string | null; lang: string },
): void {
  report.comments += comments
  report.translations += translations
  report.authors.set(email, { posts: (report.authors.get(email)?.posts ?? 0) + 1, userId: userId ?? undefined })
  count(report.languages, lang)
}

export function countOutcome(report: Report, { outcome, title, reason, notes = [] }: Outcome): void {
  report[outcome]++
  if (reason !== undefined) count(report.reasons, reason)
  for (const { what, detail } of notes) {
    const noted = report.notes.get(what) ?? { times: 0, examples: [] }
    report.notes.set(what, noted)
    noted.times++
    if (noted.examples.length < maxExamples) noted.examples.push(detail === undefined ? title : `${title} (${detail})`)
  }
}

const count = (counts: Map<string, number>, what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
