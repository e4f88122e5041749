import { inboxLink } from './inbox-link.ts'
import { mailedCodeField } from './mailed-code-field.ts'
import { type PageContext, renderPage } from './render.ts'
import { textsFor } from './texts/index.ts'
import { type Problem, wordsFor } from './words-for.ts'

export interface LoginByMailPage {
  page: string
  problem?: Problem
  email?: string | undefined
}

/** Asks where link and code shall be sent. */
export function loginByMailPage({ page: value, problem, email = '' }: LoginByMailPage, page: PageContext): string {
  const { loginByMail: texts, form: fields } = textsFor(page.lang)
  const form = { page: value, problem: wordsFor(page.lang, problem, texts.refusals) }
  return renderPage(
    { template: 'login-by-mail', title: texts.title, shape: 'card', data: { texts, fields, form, email } },
    page,
  )
}

export interface LoginCodePage {
  page: string
  /** How long the code of the message is valid, in milliseconds. */
  codeLifetime: number
  problem?: Problem
}

/** Takes the code of the message that was sent. */
export function loginCodePage({ page: value, codeLifetime, problem }: LoginCodePage, page: PageContext): string {
  const { loginByMail: texts } = textsFor(page.lang)
  const form = { page: value, problem: wordsFor(page.lang, problem, texts.codeRefusals) }
  const data = { texts, form, codeField: mailedCodeField(page, codeLifetime, problem), inbox: inboxLink(page) }
  return renderPage({ template: 'login-code', title: texts.sent, shape: 'card', data }, page)
}
