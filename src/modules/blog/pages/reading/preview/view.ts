import { atTime } from '../../../../../ui/account/when.ts'
import type { PageContext, PageView } from '../../../../../ui/shared/render.ts'
import { fill } from '../../../../../ui/texts/index.ts'
import { previewLinkDays } from '../../../preview-links/change-links.ts'
import type { ShownPost } from '../../../schemas.ts'
import { blogTextsFor } from '../../texts.ts'
import { articleData, nativeLanguageName } from '../post/view.ts'
import type { Reader } from '../reader.ts'
import { readingPaths } from '../schemas.ts'
import { readingStyles, siteOf } from '../site.ts'

export interface PreviewVersion {
  lang: string
  path: string
}

interface Preview {
  post: ShownPost
  languages: PreviewVersion[]
  expiresAt: string
}

export const previewView =
  (reader: Reader, { post, languages, expiresAt }: Preview) =>
  (page: PageContext): PageView => {
    const texts = blogTextsFor(page.lang).reading
    return {
      template: new URL('./preview.eta', import.meta.url),
      title: fill(texts.preview.documentTitle, { title: post.title }),
      shape: 'reading',
      styles: readingStyles,
      site: siteOf(reader, texts),
      data: {
        texts,
        ...articleData(reader, page, post),
        expires: fill(texts.preview.expires, { time: atTime(page.lang, expiresAt, null) }),
        languages: languages.map((version) => ({ ...version, name: nativeLanguageName(version.lang) })),
      },
    }
  }

/** Contains no post data, because the link does not give access to a post. */
export const endedPreviewView =
  (reader: Reader, reason: 'expired' | 'unknown') =>
  (page: PageContext): PageView => {
    const texts = blogTextsFor(page.lang).reading
    const { title, sentence } = texts.preview[reason]
    const words = { title, sentence: fill(sentence, { days: previewLinkDays }) }
    return {
      template: new URL('./ended.eta', import.meta.url),
      title,
      shape: 'reading',
      styles: readingStyles,
      site: siteOf(reader, texts),
      data: { texts: words, home: readingPaths.blog, back: texts.post.back },
    }
  }
