import { languageName } from '../../../../lib/locale.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, pageLanguages } from '../../../../ui/texts/index.ts'
import type { ShownPost } from '../../schemas.ts'
import type { ListTranslationsRoute } from '../../translations/schemas.ts'
import { blogTextsFor } from '../texts.ts'
import { textOf } from './list-view.ts'
import { contentPaths, postPath, translationPath } from './schemas.ts'
import { contentStyles } from './tabs.ts'

type ShownTranslation = ResponseOf<typeof ListTranslationsRoute>['data'][number]

export interface TranslationValues {
  title?: string | undefined
  slug?: string | undefined
  excerpt?: string | undefined
  body?: string | undefined
  /** The `updated_at` of the translation. Empty if there was no translation. */
  version?: string | undefined
}

export const valuesOfTranslation = (translation: ShownTranslation | undefined): TranslationValues => ({
  title: translation?.title,
  slug: translation?.slug,
  excerpt: translation?.excerpt ?? '',
  body: translation?.body ?? '',
  version: translation?.updated_at ?? '',
})

interface TranslationList {
  area: AdminArea
  post: ShownPost
  translations: ShownTranslation[]
  done: string | undefined
  problem: string | undefined
}

export function translationsPage(
  { area, post, translations, done, problem }: TranslationList,
  page: PageContext,
): string {
  const { translations: texts, done: results, fields } = blogTextsFor(page.lang).content
  const known = new Set([post.lang, ...translations.map(({ lang }) => lang)])
  const missing = pageLanguages.filter((lang) => !known.has(lang))
  return renderAdminLayout(
    area,
    {
      template: new URL('./translations.eta', import.meta.url),
      styles: contentStyles,
      title: texts.title,
      lead: fill(texts.lead, { language: languageName(page.lang, post.lang) }),
      parent: { path: postPath(post.id), label: post.title },
      done: textOf(results, done),
      data: {
        texts,
        label: fields.lang,
        path: contentPaths.translations.replace(':id', post.id),
        problem: problem && texts.languageProblem,
        translations: translations.map(({ lang, title, updated_at }) => ({
          lang,
          title,
          language: languageName(page.lang, lang),
          path: translationPath(post.id, lang),
          isOlder: updated_at < post.updated_at,
        })),
        missing: missing.map((lang) => ({
          path: translationPath(post.id, lang),
          label: fill(texts.create, { language: languageName(page.lang, lang) }),
        })),
      },
    },
    page,
  )
}

export interface SideBySide {
  area: AdminArea
  post: ShownPost
  lang: string
  /** Undefined if the post has no translation into this language. */
  translation: ShownTranslation | undefined
  values: TranslationValues
  formToken: string
  removal: { path: string; formToken: string }
  done?: string | undefined
  rejection?: ApiRejection | undefined
}

/** Shows the original, which cannot be changed here, next to the translation. */
export function translationPage(sides: SideBySide, page: PageContext): string {
  const { content } = blogTextsFor(page.lang)
  const { translations: texts, fields } = content
  const { post, lang, translation, values, rejection } = sides
  const problems = Object.fromEntries((rejection?.details ?? []).map(({ field, message }) => [field, message]))
  const hasProblems = Object.keys(problems).length > 0
  const language = languageName(page.lang, lang)
  return renderAdminLayout(
    sides.area,
    {
      template: new URL('./translation.eta', import.meta.url),
      styles: contentStyles,
      title: fill(texts.into, { language }),
      parent: { path: contentPaths.translations.replace(':id', post.id), label: texts.title },
      done: textOf(content.done, sides.done),
      problem: hasProblems ? content.editor.problems : problemText(page.lang, rejection, content.rejections),
      data: {
        texts,
        fields,
        path: translationPath(post.id, lang),
        formToken: sides.formToken,
        isNew: translation === undefined,
        isConflict: rejection?.code === 'EDIT_CONFLICT',
        conflict: texts.conflict,
        lang,
        language,
        source: { ...post, language: languageName(page.lang, post.lang) },
        values,
        problems,
        slugHint: content.editor.slugHint,
        remove: translation && sides.removal,
      },
    },
    page,
  )
}
