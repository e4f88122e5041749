import type { Config } from '../../../config/load.ts'
import { defaultLang } from '../read-members.ts'
import type { SitemapScope } from './scope.ts'

interface Version {
  slug: string
  lang: string
}

/** Slugs are unique only within a language, so only URLs of originals in the default language omit the language. */
export function publicAddress(
  config: Pick<Config, 'BLOG_PUBLIC_BASE_URL' | 'BLOG_DEFAULT_LANG' | 'DEFAULT_LANG'>,
  { types }: Pick<SitemapScope, 'types'>,
  { slug, lang }: Version,
  original: { lang: string; post_type: string },
): string {
  const prefix = types.typeOf(original).slugPrefix
  const address = [config.BLOG_PUBLIC_BASE_URL, ...(prefix === '' ? [] : [prefix]), slug].join('/')
  const needsLang = lang !== original.lang || lang !== defaultLang(config)
  return needsLang ? `${address}?lang=${encodeURIComponent(lang)}` : address
}
