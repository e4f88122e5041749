import { inboxLink, mailedCodeInput } from '../../../ui/fields/code-fields.ts'
import { emailInput } from '../../../ui/fields/credential-fields.ts'
import { inFlow } from '../../../ui/flow/flow.ts'
import { type PageProblem, problemText } from '../../../ui/shared/problem-text.ts'
import { type PageContext, renderPage } from '../../../ui/shared/render.ts'
import { fill, textsFor } from '../../../ui/texts/index.ts'

export const verifyEmailPath = '/verify-email'
export const verifyCodePath = `${verifyEmailPath}/code`

export interface VerifyEmailPage {
  forms: { again: string; code: string }
  /** If undefined, the page asks for the email address. */
  address: string | undefined
  /** In milliseconds. */
  codeLifetime: number
  sentAgain?: boolean
  /** The page on which signed-in users continue. */
  next: string | undefined
  problem?: PageProblem
  codeProblem?: PageProblem
}

/** Seconds until the user can request another message. */
const wait = 30

export function verifyEmailPage({ address, next, forms, ...data }: VerifyEmailPage, page: PageContext): string {
  const { verifyEmail: texts, loginByMail: codeTexts } = textsFor(page.lang)
  return renderPage(
    {
      template: new URL('./verify-email.eta', import.meta.url),
      title: address ? texts.sent : texts.title,
      shape: 'card',
      ...(address && { scripts: ['wait.js'] }),
      data: {
        texts,
        wait,
        inbox: inboxLink(page),
        email: emailInput(page),
        sentence: address && fill(texts.sentTo, { address }),
        sendOutcome: data.sentAgain && texts.sentAgain,
        codeField: mailedCodeInput(page, data.codeLifetime, data.codeProblem),
        form: { formToken: forms.again, problem: problemText(page.lang, data.problem, texts.rejections) },
        codeForm: {
          formToken: forms.code,
          problem: problemText(page.lang, data.codeProblem, codeTexts.codeRejections),
        },
        isSignedIn: next !== undefined,
        onward: next ? { href: next, label: texts.onward } : { href: inFlow('/login', page.flow), label: texts.signIn },
      },
    },
    page,
  )
}
