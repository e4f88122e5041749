import type { Config } from '../../../config/load.ts'
import { defaultLang } from '../read-members.ts'
import type { Scope } from './scope.ts'

interface Version {
  slug: string
  lang: string
}

/**
 * The address of a post on the public site. A slug is unique within a language, so the address contains the language
 * unless the post was written in the default one.
 */
export function publicAddress(
  config: Pick<Config, 'BLOG_PUBLIC_BASE_URL' | 'BLOG_DEFAULT_LANG' | 'DEFAULT_LANG'>,
  { types }: Pick<Scope, 'types'>,
  { slug, lang }: Version,
  original: { lang: string; post_type: string },
): string {
  const prefix = types.typeOf(original).slugPrefix
  const address = [config.BLOG_PUBLIC_BASE_URL, ...(prefix === '' ? [] : [prefix]), slug].join('/')
  const needsLang = lang !== original.lang || lang !== defaultLang(config)
  return needsLang ? `${address}?lang=${encodeURIComponent(lang)}` : address
}
