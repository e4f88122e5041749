import { emailField } from './email-field.ts'
import { inboxLink } from './inbox-link.ts'
import { mailedCodeField } from './mailed-code-field.ts'
import { type PageContext, renderPage } from './render.ts'
import { textsFor } from './texts/index.ts'
import { type Problem, wordsFor } from './words-for.ts'

export const forgotPath = '/forgot'

export interface ForgotPage {
  /** The signed value of the form. */
  page: string
  email?: string | undefined
  problem?: Problem
}

/** Where people without their password ask for a link. */
export function forgotPage({ email, problem, ...data }: ForgotPage, page: PageContext): string {
  const { forgot: texts } = textsFor(page.lang)
  return renderPage(
    {
      template: 'forgot',
      title: texts.title,
      shape: 'card',
      data: {
        texts,
        sentence: texts.sentence(page.appName),
        form: { page: data.page, problem: wordsFor(page.lang, problem, texts.refusals) },
        email: emailField(page, { value: email }),
      },
    },
    page,
  )
}

export interface ForgotSentPage {
  /** The signed value of the form; without it the browser no longer knows the address. */
  page: string | undefined
  /** Where the message went, if anybody has that address. */
  address?: string | undefined
  /** How long the code of the message is valid, in milliseconds. */
  codeLifetime: number
  problem?: Problem
}

/** The same for known and unknown addresses. */
export function forgotSentPage({ page: value, problem, ...given }: ForgotSentPage, page: PageContext): string {
  const { forgot: texts, loginByMail: codeTexts } = textsFor(page.lang)
  const form = value && { page: value, problem: wordsFor(page.lang, problem, codeTexts.codeRefusals) }
  const sentence = given.address === undefined ? texts.sentElsewhere : texts.sentTo(given.address)
  const codeField = mailedCodeField(page, given.codeLifetime, problem)
  const data = { texts, sentence, codeField, form, inbox: inboxLink(page) }
  return renderPage({ template: 'forgot-sent', title: texts.sent, shape: 'card', data }, page)
}
