import { emailField } from '../../fields/email-field.ts'
import { mailedCodeField } from '../../fields/mailed-code-field.ts'
import { inFlow } from '../../flow/flow.ts'
import { inboxLink } from '../../shared/inbox-link.ts'
import { type PageContext, renderPage } from '../../shared/render.ts'
import { type Problem, wordsFor } from '../../shared/words-for.ts'
import { fill, textsFor } from '../../texts/index.ts'

export const verifyEmailPath = '/verify-email'
export const verifyCodePath = `${verifyEmailPath}/code`

export interface VerifyEmailPage {
  /** The signed values of the forms. */
  forms: { again: string; code: string }
  /** Where the message went; without it the page asks for the address. */
  address: string | undefined
  /** How long the code of the message is valid, in milliseconds. */
  codeLifetime: number
  /** Another message was asked for. */
  sentAgain?: boolean
  /** Where somebody who is signed in can go on at once. */
  next: string | undefined
  problem?: Problem
  /** What was wrong with the code. */
  codeProblem?: Problem
}

/** Seconds after which it makes sense to ask for another message. */
const wait = 30

/** After a registration: where the message with the link is, and another one for whom it has not reached. */
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
        email: emailField(page),
        sentence: address && fill(texts.sentTo, { address }),
        told: data.sentAgain && texts.sentAgain,
        codeField: mailedCodeField(page, data.codeLifetime, data.codeProblem),
        form: { formToken: forms.again, problem: wordsFor(page.lang, data.problem, texts.refusals) },
        codeForm: { formToken: forms.code, problem: wordsFor(page.lang, data.codeProblem, codeTexts.codeRefusals) },
        isSignedIn: next !== undefined,
        onward: next ? { href: next, label: texts.onward } : { href: inFlow('/login', page.flow), label: texts.signIn },
      },
    },
    page,
  )
}
