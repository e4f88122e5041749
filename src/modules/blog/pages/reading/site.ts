import type { Context } from '../../../../context.ts'
import type { PageSite } from '../../../../ui/shared/render.ts'
import { base } from '../../names.ts'
import type { BlogTexts } from '../texts.ts'
import { linkWithQuery } from './links.ts'
import type { Reader } from './reader.ts'
import { readingPaths } from './schemas.ts'

export const readingStyles = ['../article.css', './reading.css'].map((file) => new URL(file, import.meta.url))

export function siteOf({ ctx, bringsSession }: Reader, { site }: BlogTexts['reading'], lang?: string): PageSite {
  const account = bringsSession ? { href: '/account', label: site.account } : { href: '/login', label: site.signIn }
  const feed = hasFeeds(ctx) ? [{ href: linkWithQuery(`${base}/feed.xml`, { lang }), label: site.feed }] : []
  return { name: ctx.config.BLOG_TITLE, home: linkWithQuery(readingPaths.blog, { lang }), links: [...feed, account] }
}

const hasFeeds = ({ modules }: Context): boolean => modules.isInstalled('blog', 'ext-sitemap')

const formats = [
  ['feed.xml', 'application/rss+xml'],
  ['feed.atom', 'application/atom+xml'],
  ['feed.json', 'application/feed+json'],
] as const

/** Links for the page head, where feed readers look for feeds. */
export const feedLinks = (ctx: Context, filter: Record<string, string | undefined>): Record<string, string>[] =>
  hasFeeds(ctx)
    ? formats.map(([file, type]) => ({
        rel: 'alternate',
        type,
        title: ctx.config.BLOG_TITLE,
        href: linkWithQuery(`${ctx.config.PUBLIC_URL}${base}/${file}`, filter),
      }))
    : []

/** If this service stores the picture, returns a path, because the page must work on every host name. */
export const imageSource = ({ PUBLIC_URL }: Context['config'], address: string): string =>
  address.startsWith(`${PUBLIC_URL}/`) ? address.slice(PUBLIC_URL.length) : address
