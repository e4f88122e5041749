import type { AccountVisit } from '../../../../../ui/account/account-visit.ts'
import { type AccountArea, renderAccountLayout } from '../../../../../ui/account/layout.ts'
import { recoveryCodesView } from '../../../../../ui/shared/recovery-codes.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { securityTextsFor } from '../../texts.ts'
import { securityPath } from '../shared/paths.ts'

export interface CodesPage {
  area: AccountArea
  codes: string[]
  /** The email address on the printout. */
  email: string
  /** Whether the codes were generated together with the first method. */
  isFirst: boolean
}

/** The codes are shown only in the response to the request that generated them. */
export const showCodes = ({ area, profile, show }: AccountVisit, codes: string[], isFirst: boolean) =>
  show((page) => codesPage({ area, codes, email: profile.user.email, isFirst }, page))

export function codesPage({ area, codes, email, isFirst }: CodesPage, page: PageContext): string {
  const { security } = securityTextsFor(page.lang)
  const texts = security.codes
  const introduction = isFirst ? texts.first : undefined
  const shown = { codes, email, introduction, next: { href: securityPath, label: texts.done } }
  const view = recoveryCodesView(shown, page)
  const template = new URL('./codes.eta', import.meta.url)
  return renderAccountLayout(area, { ...view, template, data: view.data }, page)
}
