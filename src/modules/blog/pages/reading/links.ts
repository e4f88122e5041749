import type { Config } from '../../../../config/load.ts'
import type { PostTypeRules } from '../../post-type-provider.ts'
import type { ShownPost } from '../../schemas.ts'
import { publicAddress } from '../../sitemap/public-address.ts'
import { readingPaths } from './schemas.ts'

export type LinkedPost = Pick<ShownPost, 'slug' | 'lang' | 'post_type' | 'translations'>

export interface Links {
  /** The path of the post page in this service. */
  pathOf(post: LinkedPost): string
  /** The URL for search engines. If another site shows the posts, the URL uses that site's host. */
  addressOf(post: LinkedPost): string
}

export function linksOf(config: Config, types: PostTypeRules): Links {
  const { BLOG_DEFAULT_LANG, DEFAULT_LANG } = config
  const place = (base: string, post: LinkedPost) => {
    const languages = { BLOG_PUBLIC_BASE_URL: base, BLOG_DEFAULT_LANG, DEFAULT_LANG }
    // `translations` excludes the original's language, so a version in one of these languages is a translation.
    const original = { lang: post.translations?.includes(post.lang) ? '' : post.lang }
    return publicAddress(languages, { types }, post, { ...original, post_type: post.post_type ?? 'post' })
  }
  return {
    pathOf: (post) => place(readingPaths.blog, post),
    addressOf: (post) => place(config.BLOG_PUBLIC_BASE_URL, post),
  }
}

export type TermPlace = 'category' | 'tag' | 'author'

export const isTermPlace = (text: string): text is TermPlace =>
  text === 'category' || text === 'tag' || text === 'author'

export const termPath = (place: TermPlace, name: string): string => `${readingPaths.blog}/${place}/${name}`

export const linkWithQuery = (path: string, members: Record<string, string | number | undefined>): string => {
  const given = Object.entries(members).filter(([, value]) => value !== undefined && value !== '')
  if (given.length === 0) return path
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}
