import slugify from '@sindresorhus/slugify'
import anyAscii from 'any-ascii'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/tables.ts'
import { looksLikeId } from '../../lib/ids.ts'
import { hasExtension } from './components.ts'
import { insertFormerSlug, removeFormerSlug } from './former-slugs/queries.ts'
import { findTakenSlugs, type PostRow } from './queries.ts'

/** Path segments that routes use in a position where a slug is also accepted. */
const reserved = new Set([
  ...['id', 'me', 'authors', 'categories', 'tags', 'comments', 'sitemap', 'sitemap.xml'],
  ...['feed.xml', 'feed.atom', 'feed.json', 'schema', 'admin', 'new'],
])

const maxSlugLength = 200

export const isSlug = (text: string): boolean =>
  text.length <= maxSlugLength && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && !reserved.has(text) && !looksLikeId(text)

/**
 * Links to a post on its former site may contain more characters than a slug: letters of all scripts, as WordPress
 * keeps them, emoji and capital letters.
 */
export const isFormerSlug = (text: string): boolean =>
  text.length <= maxSlugLength &&
  /^(?:[\p{L}\p{M}\p{N}\p{So}\p{Emoji_Modifier}_.~-]|\u200d|\ufe0f)+$/u.test(text) &&
  /[^.]/.test(text) &&
  text === text.normalize('NFC') &&
  !reserved.has(text.toLowerCase()) &&
  !looksLikeId(text.toLowerCase())

/** Creates a slug from a title in any script. If no characters remain, returns `what`. */
export function slugOf(title: string, lang: string, what = 'post'): string {
  const slug = cut(latinSlug(title, lang), maxSlugLength)
  if (slug === '') return what
  return isSlug(slug) ? slug : `${slug.slice(0, maxSlugLength - what.length - 1)}-${what}`
}

/** Letters of the scripts that slugify leaves out. It knows the usual transliterations of the others in each language. */
const unknownLetters =
  /(?:(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Common}\p{Script=Inherited}])[\p{L}\p{M}])+/gu

function latinSlug(title: string, lang: string): string {
  // NFKC divides ligatures. The capital ones, such as Æ, would become two capital letters, which separate words.
  const text = title.normalize('NFKC').replace(/[^\0-\x7f]/gu, (letter) => letter.toLowerCase())
  const isEnglish = /^en\b/.test(lang)
  const options = isEnglish ? {} : { customReplacements: [['&', ' ']] as [string, string][] }
  const latin = text.replace(unknownLetters, (letters) => ` ${anyAscii(letters)} `)
  // A title of emoji becomes their names.
  return slugify(latin, options) || slugify(anyAscii(text))
}

export function freeSlug(wanted: string, taken: Pick<ReadonlySet<string>, 'has'>): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`
    const slug = cut(wanted, maxSlugLength - suffix.length) + suffix
    if (!taken.has(slug)) return slug
  }
}

/** Does not divide the last word, unless the word is most of the slug. */
function cut(slug: string, length: number): string {
  if (slug.length <= length) return slug
  const end = slug.lastIndexOf('-', length)
  return slug.slice(0, end > length / 2 ? end : length).replace(/-+$/, '')
}

export const takenSlugs = (ctx: Context, lang: string, slug: string): Promise<Set<string>> =>
  findTakenSlugs(ctx.db, lang, slug, { translations: hasExtension(ctx, 'ext-translations') })

interface Name {
  lang: string
  slug: string
}

export async function keepFormerSlug(
  db: Db,
  { id, published_at }: Pick<PostRow, 'id' | 'published_at'>,
  before: Name,
  after: Name,
): Promise<void> {
  if (before.slug === after.slug && before.lang === after.lang) return
  await removeFormerSlug(db, id, after)
  if (published_at !== null) await insertFormerSlug(db, id, before)
}
