import { passwordRuleOf } from '../../config/password-rules.ts'
import type { FieldProblem } from '../../lib/errors.ts'
import { fill, type PageLanguage, textsFor } from '../texts/index.ts'
import type { ApiRejection } from './call-api.ts'
import { problemText } from './problem-text.ts'

export interface FormProblems {
  top: string | undefined
  fields: Record<string, string>
}

interface Form {
  fields: string[]
  /** Required for forms with a new password. */
  minPasswordLength?: number
  rejections: Record<string, string>
}

export function formProblems(lang: PageLanguage, rejection: ApiRejection | undefined, form: Form): FormProblems {
  if (!rejection) return { top: undefined, fields: {} }
  const meant = (rejection.details ?? []).filter(({ field }) => form.fields.includes(field))
  const fields = Object.fromEntries(meant.map((detail) => [detail.field, sentenceFor(lang, rejection, detail, form)]))
  const top = meant.length > 0 ? textsFor(lang).form.problems.fields : problemText(lang, rejection, form.rejections)
  return { top, fields }
}

function sentenceFor(lang: PageLanguage, { code }: ApiRejection, { field, message }: FieldProblem, form: Form): string {
  const { problems } = textsFor(lang).form
  const words = new Map(Object.entries({ ...problems, ...form.rejections }))
  if (code === 'WEAK_PASSWORD') return passwordProblem(lang, message, form.minPasswordLength ?? 0) ?? problems.weak
  // For a validation error, the text for the field is more helpful than the text for the code.
  const own = code === 'VALIDATION_ERROR' ? words.get(field) : undefined
  return own ?? words.get(code) ?? words.get(field) ?? problems.fields
}

function passwordProblem(lang: PageLanguage, message: string, minLength: number): string | undefined {
  const { problems } = textsFor(lang).password
  const rule = passwordRuleOf(message, minLength)
  return rule && (rule === 'short' ? fill(problems.short, { minimum: minLength }) : problems[rule])
}
