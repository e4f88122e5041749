import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import type { PageLanguage } from '../../../../ui/texts/index.ts'
import { type BlogTexts, blogTextsFor } from '../texts.ts'

type Problem = keyof BlogTexts['content']['problems']

/** API messages that are more specific than the sentence for the field. */
const exact = new Map<string, Problem>([
  ['is required', 'required'],
  ['is required to publish or schedule a post', 'body_missing'],
  ['is required when visibility is password', 'password_missing'],
  ['must not be a language with a translation of the post', 'lang_translated'],
])

/** Returns the sentence for each field. Messages without a sentence are shown as the API returns them. */
export function editorProblems(lang: PageLanguage, rejection: ApiRejection | undefined): Record<string, string> {
  const { problems, rejections } = blogTextsFor(lang).content
  const byField: Readonly<Record<string, string>> = problems
  const sentenceFor = (field: string, message: string): string => {
    if (rejection?.code === 'SLUG_TAKEN') return rejections.SLUG_TAKEN
    const known = exact.get(message)
    if (known) return problems[known]
    return (Object.hasOwn(byField, field) ? byField[field] : undefined) ?? message
  }
  return Object.fromEntries(
    (rejection?.details ?? []).map(({ field, message }) => [field, sentenceFor(field, message)]),
  )
}
