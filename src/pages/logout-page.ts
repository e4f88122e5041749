import { shownOrigin } from '../http/redirects.ts'
import { type PageContext, renderPage } from './render.ts'
import { textsFor } from './texts/index.ts'
import { type Problem, wordsFor } from './words-for.ts'

export interface LogoutPage {
  page: string
  /** Where the browser goes afterwards; already found to be allowed. */
  returnTo?: string | undefined
  problem?: Problem
}

/** Asks before signing out: a link of another site must not do it by itself. */
export function logoutPage({ page: value, returnTo, problem }: LogoutPage, page: PageContext): string {
  const { logout: texts } = textsFor(page.lang)
  const everywhere = texts.sentence(page.appName)
  const sentence = returnTo === undefined ? everywhere : `${everywhere} ${texts.returns(shownOrigin(returnTo))}`
  const form = { page: value, problem: wordsFor(page.lang, problem, {}) }
  return renderPage(
    { template: 'logout', title: texts.title, shape: 'card', data: { texts, sentence, form, returnTo } },
    page,
  )
}
