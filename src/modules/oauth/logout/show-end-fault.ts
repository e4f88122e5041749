import { noticePage } from '../../../ui/messages/notice/view.ts'
import type { PageContext } from '../../../ui/shared/render.ts'
import { type PageLanguage, pageLanguages } from '../../../ui/texts/index.ts'
import type { SentParameters } from '../authorize/parameters.ts'
import { faultPage } from '../authorize/show-fault.ts'
import { oauthTextsFor } from '../pages/texts.ts'
import type { EndFault } from './read-end-request.ts'

/** The first language in `ui_locales` that the pages have. */
export const languageIn = ({ ui_locales = '' }: SentParameters): PageLanguage | null =>
  ui_locales
    .split(' ')
    .map((tag) => pageLanguages.find((one) => one === tag.toLowerCase().split('-')[0]))
    .find((one) => one !== undefined) ?? null

/** Offers the usual sign-out, because that is what the user wanted. */
export function endFaultPage(fault: EndFault['fault'], page: PageContext): string {
  if (fault === 'client') return faultPage('client', page)
  const { logout: texts } = oauthTextsFor(page.lang)
  const { title, message, operator } = texts.faults[fault]
  const links = [{ href: '/logout', label: texts.signOut }]
  return noticePage({ kind: 'error', title, message, links, operator: { text: operator, values: {} } }, page)
}
