import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { AppError } from '../../../lib/errors.ts'
import { canonicalEmail } from '../../../users/fields.ts'
import { hasExtension } from '../components.ts'
import { defaultLang } from '../read-members.ts'
import type { Render } from '../render.ts'
import { type FittedPost, fitPost } from './fit-post.ts'
import type { Finding, FoundPost, Source } from './found.ts'
import { findUserIdByEmail, postExists } from './queries.ts'
import { stableId } from './stable-id.ts'
import { termId } from './terms.ts'
import { type Written, writePost } from './write-post.ts'

export interface ImportOptions {
  /** `plan` looks only. */
  mode: 'plan' | 'run'
  /** Whose posts are that have no author here. */
  fallbackUserId: string | undefined
  /** Called with each post, in the order of the file. */
  onOutcome?: (outcome: Outcome) => void
}

/** What became of one post, or would become. */
export interface Outcome {
  outcome: 'taken' | 'known' | 'skipped'
  title: string
  id?: string
  slug?: string
  /** Where it was: with `slug`, all that a redirect needs. */
  address?: string
  reason?: string
  notes?: string[]
}

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
  notes: Map<string, number>
}

/** Looks at every post of a file, and with `run` takes those that are not here. Each is taken whole, or not at all. */
export async function importPosts(
  ctx: Context,
  render: Render,
  source: Source,
  options: ImportOptions,
): Promise<Report> {
  const now = new Date(ctx.clock.now())
  const lang = source.lang ?? defaultLang(ctx.config)
  const types = await ctx.postTypes.loadFresh(ctx.db)
  const users = await usersOf(ctx, source)
  const userIdOf = (email: string | undefined) => users.get(email ?? '') ?? null
  const writing = { ctx, render, userIdOf, fallbackUserId: options.fallbackUserId, now }
  const report: Report = {
    ...{ format: source.format, taken: 0, known: 0, skipped: 0, comments: 0, translations: 0 },
    ...{ authors: new Map(), languages: new Map(), reasons: new Map(), notes: new Map() },
    ...{ isFileLanguage: source.isLanguageOfAll && source.lang === undefined, defaultLang: defaultLang(ctx.config) },
  }
  const take = async (found: FoundPost): Promise<Outcome> => {
    const id = stableId(found.key)
    const address = found.address === undefined ? {} : { address: found.address }
    if (await postExists(ctx.db, id)) return { outcome: 'known', title: found.title, id, ...address }
    const fitted = fitPost({ types, lang, now }, found)
    const written = options.mode === 'run' ? await writePost(writing, found, fitted) : expected(ctx, found, fitted)
    if (!written) return { outcome: 'known', title: found.title, id, ...address }
    report.comments += written.comments
    report.translations += written.translations
    countAuthor(report, found.email, users)
    count(report.languages, fitted.row.lang)
    const notes = [...fitted.notes, ...missing(ctx, found)]
    return { outcome: 'taken', title: fitted.row.title, id, slug: written.slug, ...address, notes }
  }
  if (options.mode === 'run') await writeTerms(ctx, source, lang, now)
  for await (const finding of source.read()) {
    const outcome = await outcomeOf(finding, take)
    report[outcome.outcome]++
    if (outcome.reason !== undefined) count(report.reasons, outcome.reason)
    for (const note of outcome.notes ?? []) count(report.notes, note)
    options.onOutcome?.(outcome)
  }
  return report
}

/** What is wrong with one post is no reason not to take the next one. */
async function outcomeOf(finding: Finding, take: (found: FoundPost) => Promise<Outcome>): Promise<Outcome> {
  if ('skipped' in finding) return { outcome: 'skipped', title: finding.title, reason: finding.skipped }
  try {
    return await take(finding.post)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return { outcome: 'skipped', title: finding.post.title, reason: reasonOf(error) }
  }
}

const reasonOf = ({ message, details = [] }: AppError): string =>
  details.length === 0 ? message : details.map(({ field, message: wrong }) => `${field} ${wrong}`.trim()).join(', ')

const expected = (ctx: Context, found: FoundPost, { row }: FittedPost): Written => ({
  slug: row.slug,
  comments: hasExtension(ctx, 'ext-comments') ? found.comments.length : 0,
  translations: hasExtension(ctx, 'ext-translations') ? found.translations.length : 0,
})

/** What would hang on the post, had the blog a place for it. */
const missing = (ctx: Context, { comments, translations }: FoundPost): string[] => [
  ...(comments.length > 0 && !hasExtension(ctx, 'ext-comments') ? ['its comments need ext-comments'] : []),
  ...(translations.length > 0 && !hasExtension(ctx, 'ext-translations')
    ? ['its translations need ext-translations']
    : []),
]

/** Everybody whom the file names by an address, and who is here. */
async function usersOf({ db }: Context, source: Source): Promise<Map<string, string>> {
  const users = new Map<string, string>()
  const asked = new Set<string>()
  for await (const finding of source.read()) {
    if ('skipped' in finding) continue
    const { email, comments, translations } = finding.post
    for (const given of [email, ...comments.map((one) => one.email), ...translations.map((one) => one.email)]) {
      if (given === undefined || asked.has(given)) continue
      asked.add(given)
      const address = canonicalEmail(given)
      const id = address === undefined ? undefined : await findUserIdByEmail(db, address)
      if (id !== undefined) users.set(given, id)
    }
  }
  return users
}

function countAuthor({ authors }: Report, email: string | undefined, users: ReadonlyMap<string, string>): void {
  const name = email ?? ''
  const known = authors.get(name)
  authors.set(name, { posts: (known?.posts ?? 0) + 1, userId: users.get(name) })
}

async function writeTerms({ db }: Context, { categories, tags }: Source, lang: string, now: Date): Promise<void> {
  for (const term of categories) await transact(db, (change) => termId(change.db, 'category', term, { lang, now }))
  for (const term of tags) await transact(db, (change) => termId(change.db, 'tag', term, { lang, now }))
}

const count = (counts: Map<string, number>, what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
