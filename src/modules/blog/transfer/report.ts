import type { Config } from '../../../config/load.ts'
import { defaultLang } from '../read-members.ts'
import type { ImportSource } from './import-source.ts'
import type { ImportNote } from './notes.ts'
import type { WrittenPost } from './write-post.ts'

export interface ImportOutcome {
  outcome: 'taken' | 'known' | 'skipped'
  title: string
  id?: string
  slug?: string
  /** The former URL. Together with `slug`, it defines a redirect. */
  address?: string
  reason?: string
  notes?: ImportNote[]
}

/** The number of occurrences of one note, with a few examples. The report file lists all occurrences. */
export interface NoteCount {
  times: number
  examples: string[]
}

const maxExamples = 3

export interface ImportReport {
  format: string
  taken: number
  known: number
  skipped: number
  comments: number
  translations: number
  /** Each author's account and number of imported posts, by email address. A plan counts the posts to import. */
  authors: Map<string, { posts: number; userId: string | undefined }>
  /** The number of imported posts by language. A plan counts the posts that would be imported. */
  languages: Map<string, number>
  /** True if the caller specified no language and the file declares one for all posts. */
  isFileLanguage: boolean
  defaultLang: string
  /** The number of skipped posts by reason. The notes on imported posts are in `notes`. */
  reasons: Map<string, number>
  notes: Map<string, NoteCount>
}

export function newReport(config: Config, source: ImportSource): ImportReport {
  const report = emptyReport(config, source)
  for (const { what, detail } of source.notes ?? [])
    report.notes.set(what, { times: 1, examples: detail === undefined ? [] : [detail] })
  return report
}

const emptyReport = (config: Config, source: ImportSource): ImportReport => ({
  ...{ format: source.format, taken: 0, known: 0, skipped: 0, comments: 0, translations: 0 },
  ...{ authors: new Map(), languages: new Map(), reasons: new Map(), notes: new Map() },
  isFileLanguage: source.isLanguageOfAll && source.lang === undefined,
  defaultLang: defaultLang(config),
})

export function countTaken(
  report: ImportReport,
  { comments, translations }: WrittenPost,
  { email = '', userId, lang }: { email: string | undefined; userId: string | null; lang: string },
): void {
  report.comments += comments
  report.translations += translations
  report.authors.set(email, { posts: (report.authors.get(email)?.posts ?? 0) + 1, userId: userId ?? undefined })
  count(report.languages, lang)
}

export function countOutcome(report: ImportReport, { outcome, title, reason, notes = [] }: ImportOutcome): void {
  report[outcome]++
  if (reason !== undefined) count(report.reasons, reason)
  for (const { what, detail } of notes) {
    const noteCount = report.notes.get(what) ?? { times: 0, examples: [] }
    report.notes.set(what, noteCount)
    noteCount.times++
    if (noteCount.examples.length < maxExamples)
      noteCount.examples.push(detail === undefined ? title : `${title} (${detail})`)
  }
}

const count = (counts: Map<string, number>, what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
