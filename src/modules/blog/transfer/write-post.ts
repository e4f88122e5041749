import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/tables.ts'
import { transact } from '../../../db/transact.ts'
import { recordEvents } from '../../../events/record.ts'
import type { ServiceEvent } from '../../../events/types.ts'
import { newId } from '../../../lib/ids.ts'
import { storageProblem } from '../change-post.ts'
import { insertComment } from '../comments/queries.ts'
import { hasExtension } from '../components.ts'
import { insertUnder } from '../create-post.ts'
import { commentEvent, creationEvents } from '../events.ts'
import { insertFormerSlug } from '../former-slugs/queries.ts'
import { type PostRow, replaceCategories, replaceTags } from '../queries.ts'
import { bodyField, maxLengths } from '../read-members.ts'
import type { RenderText } from '../render.ts'
import { renderBody } from '../render.ts'
import { keepRevision } from '../revision-queries.ts'
import { isFormerSlug, isSlug } from '../slugs.ts'
import type { TermKind } from '../taxonomy/queries.ts'
import type { TranslationRow } from '../translations/queries.ts'
import { assertFormat } from '../translations/read-translation.ts'
import { insertUnderFreeSlug } from '../translations/save-translation.ts'
import { sanitizeTypedFields } from '../type-rules.ts'
import { commentRows } from './comment-rows.ts'
import { decodedSlug, type FittedPost, importLanguageOf, slugFor } from './fit-post.ts'
import { fitBody, fitText, fitTitle } from './fit-text.ts'
import type { FoundPost, FoundTerm, FoundTranslation } from './import-source.ts'
import { type ImportNote, listed, note } from './notes.ts'
import { postExists } from './queries.ts'
import { notesOfTerms, termId } from './terms.ts'

export interface ImportContext {
  ctx: Context
  render: RenderText
  userIdOf: (email: string | undefined) => string | null
  fallbackUserId: string | undefined
  now: Date
}

export interface PreparedPost {
  row: PostRow
  password: string | undefined
  translations: TranslationRow[]
  comments: ReturnType<typeof commentRows>
  notes: ImportNote[]
}

export interface WrittenPost {
  slug: string
  comments: number
  translations: number
}

/** Does all slow work before the transaction and collects the notes for the report. */
export async function preparePost(writing: ImportContext, found: FoundPost, fitted: FittedPost): Promise<PreparedPost> {
  const { ctx, userIdOf, fallbackUserId, now } = writing
  const { type, typed, password } = fitted
  const notes = [...fitted.notes]
  const render = notingRender(writing.render, notes)
  const userId = userIdOf(found.email)
  if (found.email === undefined) notes.push(note('it has no author'))
  else if (userId === null) notes.push(note('its author has no account', found.email))
  notes.push(...notesOfTerms('category', found.categories, maxLengths.categories))
  notes.push(...notesOfTerms('tag', found.tags, maxLengths.tags))
  const row: PostRow = {
    ...fitted.row,
    ...type.columnsOf({}, await sanitizeTypedFields(render, type, typed)),
    ...(await renderBody(render, fitted.row)),
    user_id: userId ?? fallbackUserId ?? null,
  }
  const lostNames = (found.formerSlugs ?? []).map(({ slug }) => slug).filter((slug) => !isFormerSlug(decodedSlug(slug)))
  if (lostNames.length > 0) notes.push(note('invalid former slugs are omitted', listed(lostNames)))
  const translations = hasExtension(ctx, 'ext-translations') ? await translationRows(writing, found, row, notes) : []
  const comments = hasExtension(ctx, 'ext-comments')
    ? commentRows(found.comments, { postId: row.id, userIdOf, now, notes })
    : []
  return { row, password, translations, comments, notes }
}

/** Writes the post in one transaction. Returns undefined if the post already exists. */
export async function writePost(
  writing: ImportContext,
  found: FoundPost,
  prepared: PreparedPost,
): Promise<WrittenPost | undefined> {
  const { ctx, now } = writing
  const { password, translations, comments } = prepared
  const isLocked = prepared.row.visibility === 'password' && password !== undefined
  const row = { ...prepared.row, password_hash: isLocked ? await ctx.passwords.hash(password) : null }
  return transact(ctx, async (tx) => {
    const { db } = tx
    if (await postExists(db, row.id)) return undefined
    const slug = await insertUnder(tx, row, undefined)
    await writeTerms(db, found, row, now)
    for (const former of formerNames(found, { lang: row.lang, slug })) await insertFormerSlug(db, row.id, former)
    await keepRevision(tx, row, { userId: row.user_id, now })
    for (const translation of translations) await insertUnderFreeSlug(tx, translation)
    for (const comment of comments) await insertComment(db, comment)
    await recordEvents(tx, [
      ...creationEvents({ ...row, slug }),
      ...translations.map(({ post_id, lang }) => translationCreated(post_id, lang)),
      ...comments.map((comment) => commentEvent('comment.created', comment)),
    ])
    return { slug, comments: comments.length, translations: translations.length }
  }).catch((error) => {
    throw storageProblem(error)
  })
}

const translationCreated = (post_id: string, lang: string): ServiceEvent => ({
  type: 'translation.saved',
  data: { post_id, lang, created: true },
})

/**
 * Includes a slug in the file that cannot be the post's slug here, so that links with it keep working. The number of
 * slugs is limited because a file could contain any number. Real posts have far fewer.
 */
const formerNames = ({ formerSlugs = [], slug: given }: FoundPost, own: { lang: string; slug: string }) =>
  [...(isSlug(given) ? [] : [{ lang: undefined, slug: given }]), ...formerSlugs.slice(0, 1000)]
    .map(({ lang, slug }) => ({ lang: importLanguageOf(lang) ?? own.lang, slug: decodedSlug(slug) }))
    .filter(({ lang, slug }) => isFormerSlug(slug) && (slug !== own.slug || lang !== own.lang))

async function writeTerms(db: Db, { categories, tags }: FoundPost, { id, lang }: PostRow, now: Date): Promise<void> {
  const idsOf = async (kind: TermKind, terms: FoundTerm[]) => {
    const ids = new Set<string | undefined>()
    for (const term of terms) ids.add(await termId(db, kind, term, { lang, now }))
    return [...ids].filter((found) => found !== undefined)
  }
  await replaceCategories(db, id, await idsOf('category', categories.slice(0, maxLengths.categories)))
  await replaceTags(db, id, await idsOf('tag', tags.slice(0, maxLengths.tags)))
}

async function translationRows(
  { render, userIdOf, now }: ImportContext,
  { translations }: FoundPost,
  post: PostRow,
  notes: ImportNote[],
): Promise<TranslationRow[]> {
  const rows = new Map<string, TranslationRow>()
  for (const found of translations) {
    const lang = importLanguageOf(found.lang)
    if (lang === undefined || lang === post.lang || rows.has(lang)) {
      notes.push(
        note(
          'translations without a language, into the language of the post or into an existing one are omitted',
          found.lang,
        ),
      )
      continue
    }
    const userId = userIdOf(found.email)
    if (userId === null) notes.push(note('translations have no author with an account', found.lang))
    rows.set(lang, {
      ...(await translationSaid(render, found, post, notes)),
      ...{ id: newId(), post_id: post.id, user_id: userId, lang, created_at: now, updated_at: now },
    })
  }
  return [...rows.values()]
}

async function translationSaid(
  render: RenderText,
  found: FoundTranslation,
  { body_format }: PostRow,
  notes: ImportNote[],
) {
  const own: ImportNote[] = []
  const title = fitTitle(found.title, maxLengths.title, own)
  const input = fitBody(found.body, own)
  const body = input === null ? null : bodyField(input)
  assertFormat({ body }, body_format)
  const excerpt = found.excerpt === null ? null : fitText('excerpt', found.excerpt, maxLengths.excerpt, own) || null
  const slug = slugFor(found.slug, title, found.lang)
  if (found.slug !== '' && slug !== found.slug) own.push(note('its slug is changed', `${found.slug} → ${slug}`))
  const rendered = await renderBody(notingRender(render, notes, `${found.lang} `), { body, body_format })
  notes.push(...own.map(({ what, detail = '' }) => note(`of a translation: ${what}`, `${found.lang} ${detail}`.trim())))
  return { title, slug, excerpt, ...rendered }
}

const notingRender =
  (render: RenderText, notes: ImportNote[], what = ''): RenderText =>
  async (source, field = 'body') => {
    const rendered = await render({ ...source, listsRemoved: true }, field)
    const { removed = [] } = rendered
    if (removed.length > 0) notes.push(note('HTML is removed from it', `${what}${field}: ${removed.join(', ')}`))
    return rendered
  }
