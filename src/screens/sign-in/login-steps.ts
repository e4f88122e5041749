import type { Context } from '../../context.ts'
import { ownAddress } from '../../ui/account/own-address.ts'
import { inFlow } from '../../ui/flow/flow.ts'
import { recoverPasskeyPath, secondStepPath } from '../../ui/paths.ts'
import type { PageVisit } from '../../ui/shared/visit.ts'
import { afterSignIn } from './sign-in-options.ts'

export interface SignedIn {
  requires_2fa: boolean
  passkey_required?: true
}

export const continueSignIn = (ctx: Context, visit: PageVisit, signedIn: SignedIn) =>
  signedIn.requires_2fa ? visit.go(nextStepOf(signedIn)) : finishSignIn(ctx, visit)

/** The page that completes a partial session. */
export const nextStepOf = ({ passkey_required }: Pick<SignedIn, 'passkey_required'>): string =>
  passkey_required ? recoverPasskeyPath : secondStepPath

/** Continues the flow on the sign-in page, which finds the session and ends the flow. */
export function finishSignIn(ctx: Context, visit: PageVisit) {
  return visit.flow ? visit.go('/login') : redirectHome(ctx, visit)
}

export function redirectHome(ctx: Context, visit: PageVisit) {
  if (visit.stateCookie('wanted') !== undefined) visit.clearStateCookie('wanted')
  return visit.redirectTo(homeOf(ctx, visit))
}

export const destinationOf = (ctx: Context, visit: PageVisit): string =>
  visit.flow ? inFlow('/login', visit.flow.id) : homeOf(ctx, visit)

/** The page that follows a sign-in without a flow. */
export function homeOf({ config }: Context, visit: PageVisit): string {
  const wanted = visit.stateCookie('wanted')
  return wanted === undefined ? afterSignIn(config) : ownAddress(wanted)
}
