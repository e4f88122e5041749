import { emailInput, newPasswordInput, passwordScripts } from '../../../ui/fields/credential-fields.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { formProblems } from '../../../ui/shared/form-problems.ts'
import { type PageContext, renderPage } from '../../../ui/shared/render.ts'
import { textsFor } from '../../../ui/texts/index.ts'
import { type Names, nameInputs } from './name-inputs.ts'

/** The values shown again after an error. The password must be re-entered. */
export interface RegisterFields extends Names {
  email: string
}

export interface RegisterPage {
  formToken: string
  minPasswordLength: number
  hasLastName: boolean
  /** The path of the registration without a password, if it is available. */
  other?: string | undefined
  input: RegisterFields | undefined
  rejection?: ApiRejection | undefined
}

const empty: RegisterFields = { email: '', name: '', last_name: '' }

export function registerPage({ minPasswordLength, input = empty, ...data }: RegisterPage, page: PageContext): string {
  const { register: texts } = textsFor(page.lang)
  const fields = [...Object.keys(input), 'password']
  const problems = formProblems(page.lang, data.rejection, { fields, minPasswordLength, rejections: texts.rejections })
  return renderPage(
    {
      template: new URL('./register.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      scripts: passwordScripts,
      data: {
        texts,
        other: data.other,
        form: { formToken: data.formToken, problem: problems.top },
        email: emailInput(page, { value: input.email, problem: problems.fields.email }),
        names: nameInputs(page, { hasLastName: data.hasLastName, input, problems: problems.fields }),
        password: newPasswordInput(page, { minPasswordLength, problem: problems.fields.password }),
      },
    },
    page,
  )
}
