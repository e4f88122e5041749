import type { Config } from '../../../config/load.ts'
import type { Scope } from './scope.ts'

interface Version {
  slug: string
  lang: string
}

/** Where a post is read: on pages that are not ours. A translation is told from the post by its language. */
export function publicAddress(
  { BLOG_PUBLIC_BASE_URL }: Pick<Config, 'BLOG_PUBLIC_BASE_URL'>,
  { types }: Pick<Scope, 'types'>,
  { slug, lang }: Version,
  original: { lang: string; post_type: string },
): string {
  const prefix = types.typeOf(original).slugPrefix
  const address = [BLOG_PUBLIC_BASE_URL, ...(prefix === '' ? [] : [prefix]), slug].join('/')
  return lang === original.lang ? address : `${address}?lang=${encodeURIComponent(lang)}`
}
