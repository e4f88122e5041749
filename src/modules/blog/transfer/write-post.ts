import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/tables.ts'
import { transact } from '../../../db/transact.ts'
import { newId } from '../../../lib/ids.ts'
import { storageProblem } from '../change-post.ts'
import { insertComment } from '../comments/queries.ts'
import { hasExtension } from '../components.ts'
import { insertUnder } from '../create-post.ts'
import { insertFormerSlug } from '../former-slugs/queries.ts'
import { keepRevision } from '../keep-revision.ts'
import { type PostRow, replaceCategories, replaceTags } from '../queries.ts'
import { bodyField, longest } from '../read-members.ts'
import type { Render } from '../render.ts'
import { renderBody } from '../render-body.ts'
import { isSlug } from '../slugs.ts'
import type { Kind } from '../taxonomy/queries.ts'
import type { TranslationRow } from '../translations/queries.ts'
import { assertFormat } from '../translations/read-translation.ts'
import { insertUnderFreeSlug } from '../translations/save-translation.ts'
import { cleanTyped } from '../type-rules.ts'
import { commentRows } from './comment-rows.ts'
import { type FittedPost, languageOf, slugFor } from './fit-post.ts'
import type { FoundPost, FoundTerm, FoundTranslation } from './found.ts'
import { fitted, withoutControls } from './plain-text.ts'
import { postExists } from './queries.ts'
import { termId } from './terms.ts'

export interface Writing {
  ctx: Context
  render: Render
  /** Of whom an address is here; null for nobody. */
  userIdOf: (email: string | undefined) => string | null
  /** Whose posts are that have no author here. */
  fallbackUserId: string | undefined
  now: Date
}

export interface Written {
  slug: string
  comments: number
  translations: number
}

/** A post with all that hangs on it, in one transaction. Undefined when it is here already. */
export async function writePost(writing: Writing, found: FoundPost, fitted: FittedPost): Promise<Written | undefined> {
  const { ctx, render, userIdOf, fallbackUserId, now } = writing
  const { type, typed, password } = fitted
  // Slow work first: nothing of it holds anything in the database.
  const row: PostRow = {
    ...fitted.row,
    ...type.columnsOf({}, await cleanTyped(render, type, typed)),
    ...(await renderBody(render, fitted.row)),
    user_id: userIdOf(found.email) ?? fallbackUserId ?? null,
    password_hash: fitted.row.visibility === 'password' && password ? await ctx.passwords.hash(password) : null,
  }
  const translations = hasExtension(ctx, 'ext-translations') ? await translationRows(writing, found, row) : []
  const comments = hasExtension(ctx, 'ext-comments')
    ? commentRows(found.comments, { postId: row.id, userIdOf, now })
    : []
  return transact(ctx.db, async ({ db }) => {
    if (await postExists(db, row.id)) return undefined
    const slug = await insertUnder(ctx, db, row, undefined)
    await writeTerms(db, found, row, now)
    for (const former of formerNames(found, { lang: row.lang, slug })) await insertFormerSlug(db, row.id, former)
    await keepRevision(ctx, db, row, { userId: row.user_id, now })
    for (const translation of translations) await insertUnderFreeSlug(ctx, db, translation)
    for (const comment of comments) await insertComment(db, comment)
    return { slug, comments: comments.length, translations: translations.length }
  }).catch((error) => {
    throw storageProblem(error)
  })
}

/** Far more than a post ever has, for a file could name any number. */
const formerNames = ({ formerSlugs = [] }: FoundPost, own: { lang: string; slug: string }) =>
  formerSlugs
    .slice(0, 1000)
    .map(({ lang, slug }) => ({ lang: languageOf(lang) ?? own.lang, slug }))
    .filter(({ lang, slug }) => isSlug(slug) && (slug !== own.slug || lang !== own.lang))

async function writeTerms(db: Db, { categories, tags }: FoundPost, { id, lang }: PostRow, now: Date): Promise<void> {
  const idsOf = async (kind: Kind, terms: FoundTerm[]) => {
    const ids = new Set<string | undefined>()
    for (const term of terms) ids.add(await termId(db, kind, term, { lang, now }))
    return [...ids].filter((found) => found !== undefined)
  }
  await replaceCategories(db, id, await idsOf('category', categories.slice(0, longest.categories)))
  await replaceTags(db, id, await idsOf('tag', tags.slice(0, longest.tags)))
}

async function translationRows(
  { render, userIdOf, now }: Writing,
  { translations }: FoundPost,
  post: PostRow,
): Promise<TranslationRow[]> {
  const rows = new Map<string, TranslationRow>()
  for (const found of translations) {
    const lang = languageOf(found.lang)
    if (lang === undefined || lang === post.lang || rows.has(lang)) continue
    rows.set(lang, {
      ...(await translationSaid(render, found, post)),
      ...{ id: newId(), post_id: post.id, user_id: userIdOf(found.email), lang, created_at: now, updated_at: now },
    })
  }
  return [...rows.values()]
}

async function translationSaid(render: Render, found: FoundTranslation, { body_format }: PostRow) {
  const title = fitted(found.title.replace(/\s+/g, ' '), longest.title) || '(untitled)'
  const body = found.body === null ? null : bodyField(withoutControls(found.body))
  assertFormat(body, body_format)
  const excerpt = found.excerpt === null ? null : fitted(found.excerpt, longest.excerpt) || null
  return { title, slug: slugFor(found.slug, title), excerpt, ...(await renderBody(render, { body, body_format })) }
}
