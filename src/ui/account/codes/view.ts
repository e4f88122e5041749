import { recoveryCodesView } from '../../shared/recovery-codes.ts'
import type { PageContext } from '../../shared/render.ts'
import { type PageLanguage, textsFor } from '../../texts/index.ts'
import type { AccountVisit } from '../account-visit.ts'
import { type AccountArea, renderAccountLayout } from '../layout.ts'

export interface CodesPage {
  area: AccountArea
  codes: string[]
  /** The email address on the printout. */
  email: string
  next: string
  /** The occasion for which the codes were generated. */
  intro?(lang: PageLanguage): string
}

/** The codes are shown only in the response to the request that generated them. */
export const showCodes = ({ area, profile, show }: AccountVisit, input: Pick<CodesPage, 'codes' | 'next' | 'intro'>) =>
  show((page) => codesPage({ area, email: profile.user.email, ...input }, page))

export function codesPage({ area, codes, email, next, intro }: CodesPage, page: PageContext): string {
  const { done: label } = textsFor(page.lang).recoveryCodes
  const view = recoveryCodesView({ codes, email, introduction: intro?.(page.lang), next: { href: next, label } }, page)
  const template = new URL('./codes.eta', import.meta.url)
  return renderAccountLayout(area, { ...view, template, data: view.data }, page)
}
