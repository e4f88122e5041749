import type { ApiRefusal } from './call-api.ts'
import { formProblems } from './form-problems.ts'
import { newPasswordField, passwordScripts } from './password-field.ts'
import { type PageContext, renderPage } from './render.ts'
import { textsFor } from './texts/index.ts'

export interface ResetPage {
  /** The signed value of the form. */
  page: string
  minPasswordLength: number
  refusal?: ApiRefusal | undefined
}

/** Where the link to a new password leads. */
export function resetPage({ minPasswordLength, refusal, ...data }: ResetPage, page: PageContext): string {
  const { reset: texts, password } = textsFor(page.lang)
  const problems = formProblems(page.lang, refusal, { fields: ['password'], minPasswordLength, refusals: {} })
  const field = { label: password.newLabel, minPasswordLength, problem: problems.fields.password }
  return renderPage(
    {
      template: 'reset',
      title: texts.title,
      shape: 'card',
      scripts: passwordScripts,
      data: {
        texts,
        sentence: texts.sentence(page.appName),
        form: { page: data.page, problem: problems.top },
        password: newPasswordField(page, field),
      },
    },
    page,
  )
}
