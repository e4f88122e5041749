import { problemText } from '../../../../../ui/shared/problem-text.ts'
import type { PageContext, PageView } from '../../../../../ui/shared/render.ts'
import { blogTextsFor } from '../../texts.ts'
import type { Reader } from '../reader.ts'
import { readingPaths } from '../schemas.ts'
import { readingStyles, siteOf } from '../site.ts'

export interface LockedPostPage {
  slug: string
  place: string | undefined
  lang: string | undefined
  problem?: string | undefined
}

/** Contains no post data, because the API returns none for a locked post. */
export const lockedView =
  (reader: Reader, { slug, place, lang, problem }: LockedPostPage) =>
  (page: PageContext): PageView => {
    const texts = blogTextsFor(page.lang).reading
    return {
      template: new URL('./locked.eta', import.meta.url),
      title: texts.locked.title,
      shape: 'reading',
      styles: readingStyles,
      site: siteOf(reader, texts),
      data: {
        texts: texts.locked,
        path: readingPaths.unlock,
        formToken: reader.sign(readingPaths.unlock),
        problem: problemText(page.lang, problem, texts.locked.rejections),
        slug,
        place,
        lang,
      },
    }
  }
