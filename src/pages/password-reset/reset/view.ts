import { newPasswordInput, passwordScripts } from '../../fields/credential-fields.ts'
import type { ApiRefusal } from '../../shared/call-api.ts'
import { formProblems } from '../../shared/form-problems.ts'
import { type PageContext, renderPage } from '../../shared/render.ts'
import { fill, textsFor } from '../../texts/index.ts'

export interface ResetPage {
  formToken: string
  minPasswordLength: number
  refusal?: ApiRefusal | undefined
}

export function resetPage({ minPasswordLength, refusal, ...data }: ResetPage, page: PageContext): string {
  const { reset: texts, password } = textsFor(page.lang)
  const problems = formProblems(page.lang, refusal, { fields: ['password'], minPasswordLength, refusals: {} })
  const field = { label: password.newLabel, minPasswordLength, problem: problems.fields.password }
  return renderPage(
    {
      template: new URL('./reset.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      scripts: passwordScripts,
      data: {
        texts,
        sentence: fill(texts.sentence, { appName: page.appName }),
        form: { formToken: data.formToken, problem: problems.top },
        password: newPasswordInput(page, field),
      },
    },
    page,
  )
}
