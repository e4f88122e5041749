import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { deviceOf } from '../../http/access/device.ts'
import { AppError } from '../../lib/errors.ts'
import { looksLikeId } from '../../lib/ids.ts'
import { accessTo, type PostReader, type ReadablePost } from './access.ts'
import { hasExtension } from './components.ts'
import type { PostType, PostTypeRules } from './post-type-provider.ts'
import {
  type FullPost,
  findFullPost,
  findHeadsBySlug,
  findPostStanding,
  type PostHead,
  type PostRow,
  type PostStanding,
} from './queries.ts'
import { defaultLang, postLanguageField } from './read-members.ts'
import { findHeadsBySlugIn } from './slug-queries.ts'
import { effectiveState } from './states.ts'
import { findOverlay } from './translations/queries.ts'
import { assertPostUnlocked } from './unlock.ts'

export interface ReadPostInput {
  reader: PostReader
  password: string | undefined
  device: RequestDevice
  lang: string | undefined
}

export interface ReadPost {
  post: FullPost
  types: PostTypeRules
  /** The language of the returned version. Present if it differs from the requested language. */
  fallbackLang: string | undefined
  /** The requested slug. Present if it is a former slug of the post. */
  redirectedFrom: string | undefined
}

/** Returns the version in the requested language. If no language is requested, uses the language of the slug. */
export async function readPost(ctx: Context, name: string, reading: ReadPostInput): Promise<ReadPost> {
  const wanted = reading.lang === undefined ? undefined : postLanguageField('lang', reading.lang)
  const types = await typesOf(ctx)
  const named: Named | undefined = looksLikeId(name)
    ? { id: name }
    : await findNamed(ctx, types, { slug: name.normalize('NFC'), lang: wanted }, reading.reader)
  const found = named && (await findFullPost(ctx.db, ctx.postTypeProvider.columns(), named.id))
  if (!found) throw new AppError('NOT_FOUND')
  const post = effectiveState(found, ctx.clock.date())
  await assertReadable(ctx, types, post, reading)
  const redirectedFrom = named.isFormer ? name : undefined
  return { ...(await inLanguage(ctx, post, wanted ?? named.lang ?? post.lang)), types, redirectedFrom }
}

/** Returns the post in this language, or the original if there is no translation. */
export async function inLanguage(
  ctx: Context,
  post: FullPost,
  lang: string,
): Promise<Pick<ReadPost, 'post' | 'fallbackLang'>> {
  if (lang === post.lang) return { post, fallbackLang: undefined }
  const translation = hasExtension(ctx, 'ext-translations') ? await findOverlay(ctx.db, post.id, lang) : undefined
  return translation
    ? { post: { ...post, ...translation }, fallbackLang: undefined }
    : { post, fallbackLang: post.lang }
}

export async function loadReadablePost(
  ctx: Context,
  id: string,
  reading: Omit<ReadPostInput, 'lang'>,
): Promise<PostStanding & { type: PostType }> {
  const types = await typesOf(ctx)
  const found = await findPostStanding(ctx.db, ctx.postTypeProvider.columns(), id)
  if (!found) throw new AppError('NOT_FOUND')
  const post = effectiveState(found, ctx.clock.date())
  await assertReadable(ctx, types, post, reading)
  return { ...post, type: types.typeOf(post) }
}

export const typesOf = async ({ postTypeProvider }: Context): Promise<PostTypeRules> =>
  postTypeProvider.recall() ?? (await postTypeProvider.load())

/** Checks every access to a post and to its comments, reactions, bookmarks, views and translations. */
export async function assertReadable(
  ctx: Context,
  types: PostTypeRules,
  post: ReadablePost & Pick<PostRow, 'id' | 'password_hash'>,
  { reader, password, device }: Omit<ReadPostInput, 'lang'>,
): Promise<void> {
  const response = accessTo(post, reader, types)
  if (response === 'hidden') throw new AppError('NOT_FOUND')
  if (response === 'locked') await assertPostUnlocked(ctx, post, password, device)
}

interface Named {
  id: string
  lang?: string
  isFormer?: boolean
}

/** Posts in different languages may share a slug. A post that is not readable must not hide readable ones. */
async function findNamed(
  ctx: Context,
  types: PostTypeRules,
  { slug, lang }: { slug: string; lang: string | undefined },
  reader: PostReader,
): Promise<Named | undefined> {
  const { db, config, clock } = ctx
  const fallback = defaultLang(config)
  const preferred: [string, string] = [lang ?? fallback, fallback]
  const columns = ctx.postTypeProvider.columns()
  const posts = await findHeadsBySlug(db, columns, slug, preferred)
  const translated = hasExtension(ctx, 'ext-translations')
    ? await findHeadsBySlugIn(db, 'post_translations', columns, { slug, preferred })
    : []
  const now = clock.date()
  const isReadable = ({ head }: { head: PostHead }) => accessTo(effectiveState(head, now), reader, types) !== 'hidden'
  // Within a language, a slug is unique among posts and translations.
  const place = (one: string) => (preferred.includes(one) ? preferred.indexOf(one) : preferred.length)
  const present = [...posts.map((head) => ({ head, lang: head.lang })), ...translated]
    .filter(isReadable)
    .toSorted((one, other) => place(one.lang) - place(other.lang))[0]
  if (present) return { id: present.head.id, lang: present.lang }
  const formerly = await findHeadsBySlugIn(db, 'post_former_slugs', columns, { slug, preferred })
  const former = formerly.find(isReadable)
  return former && { id: former.head.id, lang: former.lang, isFormer: true }
}

export const readInputFrom = (request: FastifyRequest, lang?: string): ReadPostInput => ({
  reader: request.auth?.user,
  password: passwordOf(request.headers['x-post-password']),
  device: deviceOf(request),
  lang,
})

/** Clients send the password in UTF-8, but Node.js decodes header values as Latin-1. */
const passwordOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? Buffer.from(header, 'latin1').toString('utf8').normalize('NFC') : undefined
