import { emailInput, newPasswordInput, passwordScripts } from '../../../ui/fields/credential-fields.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { formProblems } from '../../../ui/shared/form-problems.ts'
import { type PageContext, renderPage } from '../../../ui/shared/render.ts'
import { fill, textsFor } from '../../../ui/texts/index.ts'

export interface SetupFields {
  email: string
  name: string
}

export interface SetupPage {
  formToken: string
  hasPassword: boolean
  minPasswordLength: number
  input?: SetupFields
  rejection?: ApiRejection | undefined
}

export function setupPage({ minPasswordLength, rejection, ...data }: SetupPage, page: PageContext): string {
  const { setup: texts, form: labels } = textsFor(page.lang)
  const { email, name } = data.input ?? { email: '', name: '' }
  const fields = ['email', 'name', 'password']
  const problems = formProblems(page.lang, rejection, { fields, minPasswordLength, rejections: texts.rejections })
  return renderPage(
    {
      template: new URL('./setup.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      scripts: passwordScripts,
      data: {
        texts,
        sentence: fill(texts.sentence, { appName: page.appName }),
        form: { formToken: data.formToken, problem: problems.top },
        email: emailInput(page, { value: email, problem: problems.fields.email }),
        name: {
          name: 'name',
          label: labels.name,
          value: name,
          maxlength: 100,
          autocomplete: 'given-name',
          required: true,
          hint: texts.nameHint,
          hidesHint: true,
          problem: problems.fields.name,
        },
        password: data.hasPassword
          ? newPasswordInput(page, { minPasswordLength, problem: problems.fields.password })
          : undefined,
      },
    },
    page,
  )
}
