import type { Context, PostTypeRules } from '../../context.ts'
import type { Device } from '../../http/device.ts'
import { AppError } from '../../lib/errors.ts'
import { looksLikeId } from '../../lib/ids.ts'
import { type FullPost, findFullPost, findHeadsBySlug, type PostHead } from './queries.ts'
import { defaultLang, languageField } from './read-members.ts'
import { type Reader, readingOf } from './readers.ts'
import { asOf } from './states.ts'
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
}

/** By slug or id, for whoever may read it. */
export async function readPost(ctx: Context, name: string, reading: Reading): Promise<ReadPost> {
  const wanted = reading.lang === undefined ? undefined : languageField('lang', reading.lang)
  const types = await typesOf(ctx)
  const id = looksLikeId(name) ? name : await idOfSlug(ctx, types, name, reading.reader, wanted)
  const found = id === undefined ? undefined : await findFullPost(ctx.db, ctx.postTypes.columns(), id)
  if (!found) throw new AppError('NOT_FOUND')
  const post = asOf(found, new Date(ctx.clock.now()))
  await assertReadable(ctx, types, post, reading)
  return { post, types, fallbackLang: wanted !== undefined && wanted !== post.lang ? post.lang : undefined }
}

/** The types for readers; without waiting where they are known. */
export const typesOf = async ({ postTypes }: Context): Promise<PostTypeRules> =>
  postTypes.recall() ?? (await postTypes.load())

/** One rule for a post and for all that hangs on it. */
export async function assertReadable(
  ctx: Context,
  types: PostTypeRules,
  post: FullPost,
  { reader, password, device }: Omit<Reading, 'lang'>,
): Promise<void> {
  const answer = readingOf(post, reader, types)
  if (answer === 'hidden') throw new AppError('NOT_FOUND')
  if (answer === 'locked') await assertUnlocked(ctx, post, password, device)
}

/** Posts in several languages may share a slug: one that cannot be read hides none that can. */
async function idOfSlug(
  { db, config, clock, postTypes }: Context,
  types: PostTypeRules,
  slug: string,
  reader: Reader,
  wanted: string | undefined,
) {
  const fallback = defaultLang(config)
  const heads = await findHeadsBySlug(db, postTypes.columns(), slug, [wanted ?? fallback, fallback])
  const isReadable = (head: PostHead) => readingOf(asOf(head, new Date(clock.now())), reader, types) !== 'hidden'
  return heads.find(isReadable)?.id
}
