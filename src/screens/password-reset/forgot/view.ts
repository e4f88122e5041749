import { inboxLink, mailedCodeInput } from '../../../ui/fields/code-fields.ts'
import { emailInput } from '../../../ui/fields/credential-fields.ts'
import { type PageProblem, problemText } from '../../../ui/shared/problem-text.ts'
import { type PageContext, renderPage } from '../../../ui/shared/render.ts'
import { fill, textsFor } from '../../../ui/texts/index.ts'

export const forgotPath = '/forgot'

export interface ForgotPage {
  formToken: string
  email?: string | undefined
  problem?: PageProblem
}

export function forgotPage({ email, problem, ...data }: ForgotPage, page: PageContext): string {
  const { forgot: texts } = textsFor(page.lang)
  return renderPage(
    {
      template: new URL('./forgot.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      data: {
        texts,
        sentence: fill(texts.sentence, { appName: page.appName }),
        form: { formToken: data.formToken, problem: problemText(page.lang, problem, texts.rejections) },
        email: emailInput(page, { value: email }),
      },
    },
    page,
  )
}

export interface ForgotSentPage {
  /** Undefined if the cookie with the email address has expired. */
  formToken: string | undefined
  address?: string | undefined
  /** In milliseconds. */
  codeLifetime: number
  problem?: PageProblem
}

/** The text is the same for known and unknown email addresses so that it does not reveal which users exist. */
export function forgotSentPage({ formToken: value, problem, ...input }: ForgotSentPage, page: PageContext): string {
  const { forgot: texts, loginByMail: codeTexts } = textsFor(page.lang)
  const form = value && { formToken: value, problem: problemText(page.lang, problem, codeTexts.codeRejections) }
  const sentence = input.address === undefined ? texts.sentElsewhere : fill(texts.sentTo, { address: input.address })
  const codeField = mailedCodeInput(page, input.codeLifetime, problem)
  const data = { texts, sentence, codeField, form, inbox: inboxLink(page) }
  return renderPage(
    { template: new URL('./forgot-sent.eta', import.meta.url), title: texts.sent, shape: 'card', data },
    page,
  )
}
