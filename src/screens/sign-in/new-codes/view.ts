import type { Context } from '../../../context.ts'
import { securityPath } from '../../../ui/paths.ts'
import { recoveryCodesView } from '../../../ui/shared/recovery-codes.ts'
import { linkTarget, type PageContext, renderPage } from '../../../ui/shared/render.ts'
import type { PageVisit } from '../../../ui/shared/visit.ts'
import { textsFor } from '../../../ui/texts/index.ts'
import { destinationOf } from '../login-steps.ts'

interface NewCodes {
  codes: string[]
  /** The email address on the printout. */
  email: string
  /** Whether the only passkey is on one device. */
  suggestsSecond?: boolean
}

export interface NewCodesPage extends NewCodes {
  next: string
}

/** The codes are shown only in the response to the request that generated them. The user is signed in. */
export function showNewCodes(ctx: Context, visit: PageVisit, input: NewCodes) {
  const next = destinationOf(ctx, visit)
  if (visit.stateCookie('wanted') !== undefined) visit.clearStateCookie('wanted')
  return visit.show((page) => newCodesPage({ ...input, next }, page))
}

export function newCodesPage({ codes, email, next, suggestsSecond }: NewCodesPage, page: PageContext): string {
  const { recover, recoveryCodes: texts, security } = textsFor(page.lang)
  const action = { href: linkTarget(next), label: texts.done }
  const view = recoveryCodesView({ codes, email, introduction: recover.keepCodes, next: action }, page)
  const second = suggestsSecond && { text: security.addAnother, href: `${securityPath}/add`, label: security.add }
  const template = new URL('./new-codes.eta', import.meta.url)
  return renderPage({ ...view, template, shape: 'card', data: { ...view.data, second } }, page)
}
