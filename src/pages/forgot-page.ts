import { emailField } from './email-field.ts'
import { inboxLink, inboxPath } from './inbox-link.ts'
import { type NoticePage, noticePage } from './notice-page.ts'
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

/** The same for known and unknown addresses. */
export function forgotSentPage(page: PageContext): string {
  const { forgot: texts } = textsFor(page.lang)
  const { inbox, label } = inboxLink(page)
  const links = [
    { href: '/login', label: texts.signIn },
    { href: forgotPath, label: texts.again },
    ...(inbox ? [{ href: inboxPath, label }] : []),
  ]
  const sent: NoticePage = { kind: 'info', title: texts.sent, message: texts.sentText, links }
  return noticePage(sent, page)
}
