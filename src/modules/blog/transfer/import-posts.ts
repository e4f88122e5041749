import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { AppError } from '../../../lib/errors.ts'
import { canonicalEmail } from '../../../users/fields.ts'
import { hasExtension } from '../components.ts'
import type { PostTypeRules } from '../post-type-provider.ts'
import { defaultLang } from '../read-members.ts'
import type { RenderText } from '../render.ts'
import { freeSlug, takenSlugs } from '../slugs.ts'
import { fitPost } from './fit-post.ts'
import type { FoundPost, ImportFinding, ImportSource } from './import-source.ts'
import { type ImportNote, note } from './notes.ts'
import { findUserIdByEmail, postExists } from './queries.ts'
import { countOutcome, countTaken, type ImportOutcome, type ImportReport, newReport } from './report.ts'
import { stableId } from './stable-id.ts'
import { termId } from './terms.ts'
import { type ImportContext, type PreparedPost, preparePost, type WrittenPost, writePost } from './write-post.ts'

export interface ImportOptions {
  /** With `plan`, nothing is written. */
  mode: 'plan' | 'run'
  /** The owner of posts whose author has no account in this service. */
  fallbackUserId: string | undefined
  onOutcome?: (outcome: ImportOutcome) => void
}

/** With `run`, each post that does not exist yet is imported in a separate transaction. */
export async function importPosts(
  ctx: Context,
  render: RenderText,
  source: ImportSource,
  options: ImportOptions,
): Promise<ImportReport> {
  const now = ctx.clock.date()
  const lang = source.lang ?? defaultLang(ctx.config)
  const types = await ctx.postTypeProvider.loadFresh(ctx.db)
  const users = await usersOf(ctx, source)
  const userIdOf = (email: string | undefined) => users.get(email ?? '') ?? null
  const writing = { ctx, render, userIdOf, fallbackUserId: options.fallbackUserId, now }
  const report = newReport(ctx.config, source)
  const taking = { writing, types, lang, mode: options.mode, report, planned: new Map() }
  if (options.mode === 'run') await writeTerms(ctx, source, lang, now)
  for await (const finding of source.read()) {
    const outcome = await outcomeOf(taking, finding)
    countOutcome(report, outcome)
    options.onOutcome?.(outcome)
  }
  return report
}

interface ImportRun {
  writing: ImportContext
  types: PostTypeRules
  lang: string
  mode: ImportOptions['mode']
  report: ImportReport
  planned: Map<string, Set<string>>
}

/** An invalid post is skipped and does not stop the import. */
async function outcomeOf(taking: ImportRun, finding: ImportFinding): Promise<ImportOutcome> {
  if ('skipped' in finding) return { outcome: 'skipped', title: finding.title, reason: finding.skipped }
  try {
    return await takePost(taking, finding.post)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return { outcome: 'skipped', title: finding.post.title, reason: reasonOf(error) }
  }
}

async function takePost(taking: ImportRun, found: FoundPost): Promise<ImportOutcome> {
  const { writing, types, lang, mode, report } = taking
  const { ctx, now, userIdOf } = writing
  const id = stableId(found.key)
  const known: ImportOutcome = { outcome: 'known', title: found.title, id, ...addressOf(found) }
  if (await postExists(ctx.db, id)) return known
  const fitted = fitPost({ types, lang, now }, found)
  const prepared = await preparePost(writing, found, fitted)
  const written = mode === 'run' ? await writePost(writing, found, prepared) : await expected(taking, prepared)
  if (!written) return known
  countTaken(report, written, { email: found.email, userId: userIdOf(found.email), lang: fitted.row.lang })
  const notes = [...prepared.notes, ...missing(ctx, found)]
  if (found.slug !== '' && written.slug !== found.slug)
    notes.push(note('its slug is changed', `${found.slug} → ${written.slug}`))
  return { outcome: 'taken', title: fitted.row.title, id, slug: written.slug, ...addressOf(found), notes }
}

const addressOf = ({ address }: FoundPost) => (address === undefined ? {} : { address })

/** Returns the outcome that `run` would have. Slugs of earlier posts in the file count as taken. */
async function expected(
  { writing, planned }: ImportRun,
  { row, comments, translations }: PreparedPost,
): Promise<WrittenPost> {
  const { ctx } = writing
  const taken = await takenSlugs(ctx, row.lang, row.slug)
  const of = planned.get(row.lang) ?? new Set()
  planned.set(row.lang, of)
  const slug = freeSlug(row.slug, { has: (each: string) => taken.has(each) || of.has(each) })
  of.add(slug)
  return { slug, comments: comments.length, translations: translations.length }
}

const missing = (ctx: Context, { comments, translations }: FoundPost): ImportNote[] => [
  ...(comments.length > 0 && !hasExtension(ctx, 'ext-comments')
    ? [note('its comments require ext-comments', `${comments.length}`)]
    : []),
  ...(translations.length > 0 && !hasExtension(ctx, 'ext-translations')
    ? [note('its translations require ext-translations', `${translations.length}`)]
    : []),
]

const reasonOf = ({ message, details = [] }: AppError): string =>
  details.length === 0 ? message : details.map(({ field, message: wrong }) => `${field} ${wrong}`.trim()).join(', ')

async function usersOf({ db }: Context, source: ImportSource): Promise<Map<string, string>> {
  const users = new Map<string, string>()
  const requested = new Set<string>()
  for await (const finding of source.read()) {
    if ('skipped' in finding) continue
    const { email, comments, translations } = finding.post
    for (const input of [email, ...comments.map((one) => one.email), ...translations.map((one) => one.email)]) {
      if (input === undefined || requested.has(input)) continue
      requested.add(input)
      const address = canonicalEmail(input)
      const id = address === undefined ? undefined : await findUserIdByEmail(db, address)
      if (id !== undefined) users.set(input, id)
    }
  }
  return users
}

async function writeTerms(ctx: Context, { categories, tags }: ImportSource, lang: string, now: Date): Promise<void> {
  for (const term of categories) await transact(ctx, (tx) => termId(tx.db, 'category', term, { lang, now }))
  for (const term of tags) await transact(ctx, (tx) => termId(tx.db, 'tag', term, { lang, now }))
}
