import { adminTextsFor } from '../../../ui/console/texts/index.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { type FormProblems, formProblems } from '../../../ui/shared/form-problems.ts'
import type { PageLanguage } from '../../../ui/texts/index.ts'
import { oauthTextsFor } from './texts.ts'

/** The problems of a form with these fields, and the sentence above it. */
export function oauthProblems(
  lang: PageLanguage,
  rejection: ApiRejection | undefined,
  fields: readonly string[] = [],
): FormProblems {
  const rejections = { ...adminTextsFor(lang).rejections, ...oauthTextsFor(lang).problems }
  // The API names an item of a list by its position.
  const details = rejection?.details?.map((one) => ({ ...one, field: one.field.replace(/\..*/, '') }))
  return formProblems(lang, rejection && { ...rejection, ...(details && { details }) }, {
    ...{ fields: [...fields], rejections },
  })
}

/** The sentence for the result of the last action, if the page knows it. */
export const doneText = (texts: Readonly<Record<string, string>>, done: string | undefined): string | undefined =>
  done !== undefined && Object.hasOwn(texts, done) ? texts[done] : undefined
