import { emailField } from './email-field.ts'
import { inboxLink } from './inbox-link.ts'
import { type PageContext, renderPage } from './render.ts'
import { textsFor } from './texts/index.ts'
import { type Problem, wordsFor } from './words-for.ts'

export const verifyEmailPath = '/verify-email'

export interface VerifyEmailPage {
  /** The signed value of the form. */
  page: string
  /** Where the message went; without it the page asks for the address. */
  address: string | undefined
  /** Another message was asked for. */
  sentAgain?: boolean
  /** Where somebody who is signed in can go on at once. */
  next: string | undefined
  problem?: Problem
}

/** Seconds after which it makes sense to ask for another message. */
const wait = 30

/** After a registration: where the message with the link is, and another one for whom it has not reached. */
export function verifyEmailPage({ address, next, ...data }: VerifyEmailPage, page: PageContext): string {
  const { verifyEmail: texts } = textsFor(page.lang)
  return renderPage(
    {
      template: 'verify-email',
      title: address ? texts.sent : texts.title,
      shape: 'card',
      ...(address && { scripts: ['wait.js'] }),
      data: {
        texts,
        wait,
        inbox: inboxLink(page),
        email: emailField(page),
        sentence: address && texts.sentTo(address),
        told: data.sentAgain && texts.sentAgain,
        form: { page: data.page, problem: wordsFor(page.lang, data.problem, texts.refusals) },
        isSignedIn: next !== undefined,
        onward: next ? { href: next, label: texts.onward } : { href: '/login', label: texts.signIn },
      },
    },
    page,
  )
}
