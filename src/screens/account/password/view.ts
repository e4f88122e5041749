import { type AccountArea, accountText, renderAccountLayout } from '../../../ui/account/layout.ts'
import { newPasswordInput, passwordScripts } from '../../../ui/fields/credential-fields.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { formProblems } from '../../../ui/shared/form-problems.ts'
import type { PageContext } from '../../../ui/shared/render.ts'
import { textsFor } from '../../../ui/texts/index.ts'
import { forgotPath } from '../../password-reset/forgot/view.ts'

export interface PasswordPage {
  area: AccountArea
  form: string
  user: { email: string; user_name: string }
  hasPassword: boolean
  minPasswordLength: number
  done?: string | undefined
  rejection?: ApiRejection | undefined
}

const current = 'current_password'
const chosen = 'new_password'

export function passwordPage({ area, hasPassword, ...data }: PasswordPage, page: PageContext): string {
  const { account, password } = textsFor(page.lang)
  const texts = account.password
  const { minPasswordLength } = data
  const form = { fields: [current, chosen], minPasswordLength, rejections: texts.rejections }
  const { top, fields } = formProblems(page.lang, atItsField(data.rejection), form)
  return renderAccountLayout(
    area,
    {
      template: new URL('./password.eta', import.meta.url),
      title: hasPassword ? texts.title : texts.firstTitle,
      done: accountText(account.done, data.done),
      scripts: passwordScripts,
      data: {
        texts,
        hasPassword,
        forgotPath,
        form: { formToken: data.form, problem: top },
        current: {
          name: current,
          label: texts.current,
          problem: fields[current],
          type: 'password',
          required: true,
          maxlength: 256,
          autocomplete: 'current-password',
        },
        chosen: newPasswordInput(page, {
          name: chosen,
          label: password.newLabel,
          minPasswordLength,
          problem: fields[chosen],
          words: [data.user.email, data.user.email.split('@')[0] ?? '', data.user.user_name],
        }),
      },
    },
    page,
  )
}

/** The API returns INVALID_CURRENT_PASSWORD without a field, so the field is added here. */
const atItsField = (rejection: ApiRejection | undefined): ApiRejection | undefined =>
  rejection?.code === 'INVALID_CURRENT_PASSWORD'
    ? { ...rejection, details: [{ field: current, message: '' }] }
    : rejection
