import { onDay } from '../../../../../ui/account/when.ts'
import type { PageContext, PageHead, PageView } from '../../../../../ui/shared/render.ts'
import { fill, pageLanguages, textsFor } from '../../../../../ui/texts/index.ts'
import type { ShownListedPost } from '../../../lists/schemas.ts'
import { type BlogTexts, blogTextsFor } from '../../texts.ts'
import { bylineOf } from '../authors.ts'
import { linkWithQuery, termPath } from '../links.ts'
import type { Reader } from '../reader.ts'
import { readingPaths } from '../schemas.ts'
import { feedLinks, imageSource, readingStyles, siteOf } from '../site.ts'
import type { PostList, ReadingQuery } from './load-list.ts'

export const listView =
  (reader: Reader, query: ReadingQuery, list: PostList) =>
  (page: PageContext): PageView => {
    const texts = blogTextsFor(page.lang).reading
    const { lang, q } = query
    const { term } = list
    const path = term ? termPath(term.place, term.name) : readingPaths.blog
    const at = (number: number) => linkWithQuery(path, { q, lang, page: number > 1 ? number : undefined })
    const title = q ? fill(texts.list.results, { words: q }) : (term?.title ?? reader.ctx.config.BLOG_TITLE)
    return {
      template: new URL('./list.eta', import.meta.url),
      title,
      shape: 'reading',
      styles: readingStyles,
      site: siteOf(reader, texts, lang),
      head: headOf(reader, query, list),
      data: {
        texts,
        title,
        // The front page's title is in the header.
        showsTitle: q !== undefined || term !== undefined,
        kicker: term && !q ? texts.list[term.place] : undefined,
        description: term?.description,
        search: { path: readingPaths.blog, q, lang },
        posts: list.posts.map((post) => shownPost(reader, texts, page, post)),
        newer: list.page > 1 && at(list.page - 1),
        older: list.page < list.pages && at(list.page + 1),
        position: fill(texts.list.position, { page: list.page, pages: list.pages }),
        isFiltered: q !== undefined || term !== undefined || lang !== undefined,
        home: readingPaths.blog,
        languages: languagesOf(path, lang, q),
      },
    }
  }

function shownPost({ ctx, links }: Reader, texts: BlogTexts['reading'], page: PageContext, post: ShownListedPost) {
  const { list } = texts
  const chips = { public: undefined, auth: list.members, private: list.private, password: list.password }
  const category = post.categories[0]
  return {
    title: post.title,
    lang: post.lang,
    path: links.pathOf(post),
    excerpt: post.excerpt,
    image: post.featured_image === null ? undefined : imageSource(ctx.config, post.featured_image),
    category: category && { name: category.name, path: termPath('category', category.slug) },
    author: bylineOf(ctx.config, post.author),
    time: post.published_at,
    date: post.published_at && onDay(page.lang, post.published_at, null),
    chip: chips[post.visibility],
  }
}

function headOf({ ctx, bringsSession }: Reader, { lang, q }: ReadingQuery, { page, term }: PostList): PageHead {
  const { BLOG_PUBLIC_BASE_URL, BLOG_TITLE } = ctx.config
  const place = term ? `${BLOG_PUBLIC_BASE_URL}/${term.place}/${term.name}` : BLOG_PUBLIC_BASE_URL
  const title = term?.title ?? BLOG_TITLE
  return {
    isIndexed: !q && !bringsSession,
    description: term?.description || undefined,
    canonical: linkWithQuery(place, { lang, page: page > 1 ? page : undefined }),
    links: feedLinks(ctx, { lang, ...(term && { [term.place]: term.name }) }),
    properties: [
      { property: 'og:type', content: 'website' },
      { property: 'og:site_name', content: BLOG_TITLE },
      { property: 'og:title', content: title },
    ],
  }
}

/** Offers the page languages because posts are most likely written in them. */
const languagesOf = (path: string, lang: string | undefined, q: string | undefined) =>
  pageLanguages.map((one) => ({
    lang: one,
    name: textsFor(one).name,
    path: linkWithQuery(path, { lang: one, q }),
    isCurrent: lang === one,
  }))
