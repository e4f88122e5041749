import type { Context } from '../../context.ts'
import type { Device } from '../../http/access/device.ts'
import { AppError } from '../../lib/errors.ts'
import { looksLikeId } from '../../lib/ids.ts'
import { hasExtension } from './components.ts'
import type { PostType, PostTypeRules } from './post-types.ts'
import {
  type FullPost,
  findFullPost,
  findHeadsBySlug,
  findStanding,
  type PostHead,
  type PostRow,
  type PostStanding,
} from './queries.ts'
import { defaultLang, languageField } from './read-members.ts'
import { type Readable, type Reader, readingOf } from './readers.ts'
import { findHeadsBySlugIn } from './slug-queries.ts'
import { asOf } from './states.ts'
import { findOverlay } from './translations/queries.ts'
import { assertUnlocked } from './unlock.ts'

/** Who wants to read, and what they show. */
export interface Reading {
  reader: Reader
  /** The password of a post. */
  password: string | undefined
  device: Device
  /** The language they would like. */
  lang: string | undefined
}

export interface ReadPost {
  post: FullPost
  types: PostTypeRules
  /** The language of the post, when it is not the one that was asked for. */
  fallbackLang: string | undefined
  /** The slug that was asked for, when the post had it before and has another one today. */
  redirectedFrom: string | undefined
}

/** By slug or id, for whoever may read it; in the language they would like, or that the slug is of. */
export async function readPost(ctx: Context, name: string, reading: Reading): Promise<ReadPost> {
  const wanted = reading.lang === undefined ? undefined : languageField('lang', reading.lang)
  const types = await typesOf(ctx)
  const named: Named | undefined = looksLikeId(name)
    ? { id: name }
    : await findNamed(ctx, types, name, reading.reader, wanted)
  const found = named && (await findFullPost(ctx.db, ctx.postTypes.columns(), named.id))
  if (!found) throw new AppError('NOT_FOUND')
  const post = asOf(found, new Date(ctx.clock.now()))
  await assertReadable(ctx, types, post, reading)
  const redirectedFrom = named.isFormer ? name : undefined
  const lang = wanted ?? named.lang ?? post.lang
  if (lang === post.lang) return { post, types, fallbackLang: undefined, redirectedFrom }
  const translation = hasExtension(ctx, 'ext-translations') ? await findOverlay(ctx.db, post.id, lang) : undefined
  return translation
    ? { post: { ...post, ...translation }, types, fallbackLang: undefined, redirectedFrom }
    : { post, types, fallbackLang: post.lang, redirectedFrom }
}

/** A post for whatever hangs on it, and its type: not there for those who may not read it. */
export async function getReadable(
  ctx: Context,
  id: string,
  reading: Omit<Reading, 'lang'>,
): Promise<PostStanding & { type: PostType }> {
  const types = await typesOf(ctx)
  const found = await findStanding(ctx.db, ctx.postTypes.columns(), id)
  if (!found) throw new AppError('NOT_FOUND')
  const post = asOf(found, new Date(ctx.clock.now()))
  await assertReadable(ctx, types, post, reading)
  return { ...post, type: types.typeOf(post) }
}

/** The types for readers; without waiting where they are known. */
export const typesOf = async ({ postTypes }: Context): Promise<PostTypeRules> =>
  postTypes.recall() ?? (await postTypes.load())

/** One rule for a post and for all that hangs on it. */
export async function assertReadable(
  ctx: Context,
  types: PostTypeRules,
  post: Readable & Pick<PostRow, 'id' | 'password_hash'>,
  { reader, password, device }: Omit<Reading, 'lang'>,
): Promise<void> {
  const answer = readingOf(post, reader, types)
  if (answer === 'hidden') throw new AppError('NOT_FOUND')
  if (answer === 'locked') await assertUnlocked(ctx, post, password, device)
}

interface Named {
  id: string
  lang?: string
  isFormer?: boolean
}

/**
 * Posts in several languages may share a slug: one that cannot be read hides none that can. What had the slug before
 * comes after all that have it now.
 */
async function findNamed(
  ctx: Context,
  types: PostTypeRules,
  slug: string,
  reader: Reader,
  wanted: string | undefined,
): Promise<Named | undefined> {
  const { db, config, clock } = ctx
  const fallback = defaultLang(config)
  const preferred: [string, string] = [wanted ?? fallback, fallback]
  const columns = ctx.postTypes.columns()
  const posts = await findHeadsBySlug(db, columns, slug, preferred)
  const translated = hasExtension(ctx, 'ext-translations')
    ? await findHeadsBySlugIn(db, 'post_translations', columns, slug, preferred)
    : []
  const now = new Date(clock.now())
  const isReadable = ({ head }: { head: PostHead }) => readingOf(asOf(head, now), reader, types) !== 'hidden'
  // A language has each slug once, as that of a post or of a translation.
  const place = (lang: string) => (preferred.includes(lang) ? preferred.indexOf(lang) : preferred.length)
  const present = [...posts.map((head) => ({ head, lang: head.lang })), ...translated]
    .filter(isReadable)
    .toSorted((one, other) => place(one.lang) - place(other.lang))[0]
  if (present) return { id: present.head.id, lang: present.lang }
  const formerly = await findHeadsBySlugIn(db, 'post_former_slugs', columns, slug, preferred)
  const former = formerly.find(isReadable)
  return former && { id: former.head.id, lang: former.lang, isFormer: true }
}
