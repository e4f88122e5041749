import type { PageHead } from '../../../../../ui/shared/render.ts'
import type { ShownPost } from '../../../schemas.ts'
import { authorName } from '../authors.ts'
import type { Reader } from '../reader.ts'
import { feedLinks } from '../site.ts'
import type { LoadedPost } from './load-post.ts'

/** Returns a head only if everyone can read the post, because other sites show the head's content. */
export function postHead(reader: Reader, { post, versions }: LoadedPost): PageHead | undefined {
  if (post.status !== 'published' || post.visibility !== 'public') return undefined
  const { ctx, links } = reader
  const { seo } = post
  const address = links.addressOf(post)
  const description = seo?.seo_description || post.excerpt || undefined
  const alternates = [{ lang: post.lang, slug: post.slug }, ...versions].map(({ lang, slug }) => ({
    rel: 'alternate',
    hreflang: lang,
    href: links.addressOf({ ...post, lang, slug }),
  }))
  const image = seo?.og_image || post.featured_image
  const properties = [
    ['og:type', 'article'],
    ['og:site_name', ctx.config.BLOG_TITLE],
    ['og:title', seo?.og_title || post.title],
    ['og:description', seo?.og_description || description],
    ['og:url', address],
    ['og:image', image],
    ['og:locale', post.lang.replace('-', '_')],
    ['article:published_time', post.published_at],
    ['article:modified_time', post.updated_at],
  ]
  return {
    isIndexed: seo?.noindex !== true,
    description,
    canonical: seo?.canonical_url || address,
    links: [...(versions.length > 0 ? alternates : []), ...feedLinks(ctx, { lang: post.lang })],
    properties: properties.flatMap(([property, content]) => (property && content ? [{ property, content }] : [])),
    linkedData: linkedDataOf(reader, post, { address, description, image }),
  }
}

interface Described {
  address: string
  description: string | undefined
  image: string | null | undefined
}

const linkedDataOf = ({ ctx }: Reader, post: ShownPost, { address, description, image }: Described) => ({
  '@context': 'https://schema.org',
  '@type': 'BlogPosting',
  headline: post.title,
  description,
  inLanguage: post.lang,
  datePublished: post.published_at,
  dateModified: post.updated_at,
  mainEntityOfPage: address,
  ...(image && { image }),
  ...(post.author && { author: { '@type': 'Person', name: authorName(post.author) } }),
  publisher: { '@type': 'Organization', name: ctx.config.APP_NAME },
  keywords: post.tags.map(({ name }) => name).join(', ') || undefined,
})
