import { onDay } from '../../../../../ui/account/when.ts'
import type { PageContext, PageView } from '../../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../../ui/texts/index.ts'
import { hasExtension } from '../../../components.ts'
import type { ShownPost } from '../../../schemas.ts'
import { type BlogTexts, blogTextsFor } from '../../texts.ts'
import { bylineOf } from '../authors.ts'
import type { PostOutcome } from '../comments/view.ts'
import { commentsData } from '../comments/view.ts'
import { termPath } from '../links.ts'
import type { Reader } from '../reader.ts'
import { readingPaths } from '../schemas.ts'
import { imageSource, readingStyles, siteOf } from '../site.ts'
import { postHead } from './head.ts'
import type { LoadedComments, LoadedPost } from './load-post.ts'

export const postView =
  (
    reader: Reader,
    loaded: LoadedPost & { editPath: string | undefined },
    discussion: LoadedComments,
    outcome: PostOutcome,
  ) =>
  (page: PageContext): PageView => {
    const texts = blogTextsFor(page.lang).reading
    const { post, versions } = loaded
    const counts = post.status === 'published' && hasExtension(reader.ctx, 'ext-views')
    return {
      template: new URL('./post.eta', import.meta.url),
      title: post.seo?.seo_title || post.title,
      shape: 'reading',
      styles: readingStyles,
      site: siteOf(reader, texts),
      head: postHead(reader, loaded),
      ...(counts && { scripts: [new URL('../count-view.js', import.meta.url)], settings: { post: post.id } }),
      data: {
        texts,
        ...articleData(reader, page, post),
        languages: versions.map((version) => ({
          ...version,
          name: nativeLanguageName(version.lang),
          path: reader.links.pathOf({ ...post, ...version }),
        })),
        home: readingPaths.blog,
        edit: loaded.editPath,
        discussion: commentsData(reader, page, post, discussion, outcome),
      },
    }
  }

export type ArticleData = ReturnType<typeof articleData>

export function articleData({ ctx }: Pick<Reader, 'ctx'>, page: PageContext, post: ShownPost) {
  const texts = blogTextsFor(page.lang).reading
  const text = textOf(post.body_html ?? '')
  const words = text.split(' ')
  const published = post.published_at && onDay(page.lang, post.published_at, null)
  const updated = onDay(page.lang, post.updated_at, null)
  return {
    post: {
      title: post.title,
      lang: post.lang,
      // An excerpt derived from the post's text would repeat the text's first sentence.
      lede: post.excerpt && !lettersOf(text).startsWith(lettersOf(post.excerpt)) ? post.excerpt : undefined,
      html: post.body_html,
      source: post.body_html === null ? post.body : undefined,
      image: post.featured_image === null ? undefined : imageSource(ctx.config, post.featured_image),
      author: bylineOf(ctx.config, post.author),
      category: post.categories[0] && termOf('category', post.categories[0]),
      tags: post.tags.map((tag) => termOf('tag', tag)),
      time: post.published_at,
      date: published,
      updated: published && updated !== published && fill(texts.post.updated, { date: updated }),
      minutes: fillPlural(page.lang, texts.post.minutes, Math.max(1, Math.round(words.length / wordsPerMinute))),
    },
    state: stateOf(texts, post),
  }
}

const wordsPerMinute = 220

const termOf = (place: 'category' | 'tag', { name, slug }: { name: string; slug: string }) => ({
  name,
  path: termPath(place, slug),
})

/** Only letters and digits are compared, because replacing tags and references changes the spaces and punctuation. */
const lettersOf = (text: string): string => text.replace(/&#?\w+;/g, '').replace(/[^\p{L}\p{N}]/gu, '')

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

function stateOf({ post: { states } }: BlogTexts['reading'], { status, visibility }: ShownPost): string | undefined {
  if (status !== 'published') return states[status]
  return visibility === 'private' || visibility === 'password' ? states[visibility] : undefined
}

export function nativeLanguageName(lang: string): string {
  const name = new Intl.DisplayNames([lang], { type: 'language' }).of(lang) ?? lang
  return name.charAt(0).toLocaleUpperCase(lang) + name.slice(1)
}
