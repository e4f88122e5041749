import type { Context } from '../../../context.ts'

/** Where a post is read: on pages that are not ours. A translation is told from the post by its language. */
export function publicAddress(
  { BLOG_PUBLIC_BASE_URL }: Context['config'],
  { slug, lang }: { slug: string; lang: string },
  original: { lang: string } = { lang },
): string {
  const address = `${BLOG_PUBLIC_BASE_URL}/${slug}`
  return lang === original.lang ? address : `${address}?lang=${encodeURIComponent(lang)}`
}
