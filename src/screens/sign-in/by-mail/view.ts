import { inboxLink, mailedCodeInput } from '../../../ui/fields/code-fields.ts'
import { emailInput } from '../../../ui/fields/credential-fields.ts'
import { type PageProblem, problemText } from '../../../ui/shared/problem-text.ts'
import { type PageContext, renderPage } from '../../../ui/shared/render.ts'
import { textsFor } from '../../../ui/texts/index.ts'

export interface LoginByMailPage {
  formToken: string
  problem?: PageProblem
  email?: string | undefined
}

export function loginByMailPage({ formToken: value, problem, email = '' }: LoginByMailPage, page: PageContext): string {
  const { loginByMail: texts } = textsFor(page.lang)
  const form = { formToken: value, problem: problemText(page.lang, problem, texts.rejections) }
  return renderPage(
    {
      template: new URL('./login-by-mail.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      data: { texts, form, email: emailInput(page, { value: email }) },
    },
    page,
  )
}

export interface LoginCodePage {
  formToken: string
  /** In milliseconds. */
  codeLifetime: number
  problem?: PageProblem
}

export function loginCodePage({ formToken: value, codeLifetime, problem }: LoginCodePage, page: PageContext): string {
  const { loginByMail: texts } = textsFor(page.lang)
  const form = { formToken: value, problem: problemText(page.lang, problem, texts.codeRejections) }
  const data = { texts, form, codeField: mailedCodeInput(page, codeLifetime, problem), inbox: inboxLink(page) }
  return renderPage(
    { template: new URL('./login-code.eta', import.meta.url), title: texts.sent, shape: 'card', data },
    page,
  )
}
