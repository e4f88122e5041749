import type { Invited } from '../../../passwords/complete-reset.ts'
import { emailInput, newPasswordInput, passwordScripts } from '../../../ui/fields/credential-fields.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { formProblems } from '../../../ui/shared/form-problems.ts'
import { type PageContext, renderPage } from '../../../ui/shared/render.ts'
import { fill, textsFor } from '../../../ui/texts/index.ts'

export interface ResetPage {
  formToken: string
  /** If false, the link signs the user in. */
  hasPassword: boolean
  minPasswordLength: number
  rejection?: ApiRejection | undefined
  /** If the link is from an invitation, the page welcomes this user. */
  invited?: Invited | undefined
}

export function resetPage(
  { minPasswordLength, rejection, invited, hasPassword, ...data }: ResetPage,
  page: PageContext,
): string {
  const { reset: texts, password } = textsFor(page.lang)
  const problems = formProblems(page.lang, rejection, { fields: ['password'], minPasswordLength, rejections: {} })
  const label = invited ? undefined : password.newLabel
  const field = { ...(label && { label }), minPasswordLength, problem: problems.fields.password }
  const heading = hasPassword ? texts.title : texts.signIn
  const title = invited ? fill(texts.welcome, { appName: page.appName }) : heading
  const welcome = hasPassword ? texts.welcomeSentence : texts.welcomeWithoutPassword
  const sentence = hasPassword ? texts.sentence : texts.signInSentence
  return renderPage(
    {
      template: new URL('./reset.eta', import.meta.url),
      title,
      shape: 'card',
      scripts: passwordScripts,
      data: {
        texts,
        title,
        sentence: invited ? welcome : fill(sentence, { appName: page.appName }),
        email: invited && { ...emailInput(page, { value: invited.email }), required: false, readonly: true },
        form: { formToken: data.formToken, problem: problems.top },
        password: hasPassword ? newPasswordInput(page, field) : undefined,
        submit: hasPassword ? texts.submit : texts.continue,
      },
    },
    page,
  )
}
