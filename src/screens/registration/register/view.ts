import { emailInput, newPasswordInput, passwordScripts } from '../../../ui/fields/credential-fields.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { formProblems } from '../../../ui/shared/form-problems.ts'
import { type PageContext, renderPage } from '../../../ui/shared/render.ts'
import { textsFor } from '../../../ui/texts/index.ts'

/** The values shown again after an error. The password must be re-entered. */
export interface RegisterFields {
  email: string
  name: string
  last_name: string
}

export interface RegisterPage {
  formToken: string
  minPasswordLength: number
  hasLastName: boolean
  input: RegisterFields | undefined
  rejection?: ApiRejection | undefined
}

const empty: RegisterFields = { email: '', name: '', last_name: '' }

export function registerPage({ minPasswordLength, input = empty, ...data }: RegisterPage, page: PageContext): string {
  const { register: texts, form: labels } = textsFor(page.lang)
  const fields = [...Object.keys(input), 'password']
  const problems = formProblems(page.lang, data.rejection, { fields, minPasswordLength, rejections: texts.rejections })
  const optional = (name: 'name' | 'last_name', label: string, autocomplete: string) => {
    const [value, problem] = [input[name], problems.fields[name]]
    return { name, label, value, problem, maxlength: 100, autocomplete, note: labels.optional }
  }
  return renderPage(
    {
      template: new URL('./register.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      scripts: passwordScripts,
      data: {
        texts,
        form: { formToken: data.formToken, problem: problems.top },
        email: emailInput(page, { value: input.email, problem: problems.fields.email }),
        names: [
          optional('name', labels.name, 'given-name'),
          ...(data.hasLastName ? [optional('last_name', labels.lastName, 'family-name')] : []),
        ],
        password: newPasswordInput(page, { minPasswordLength, problem: problems.fields.password }),
      },
    },
    page,
  )
}
