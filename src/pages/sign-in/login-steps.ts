import type { Context } from '../../context.ts'
import { ownAddress } from '../account/shared/own-address.ts'
import { inFlow } from '../flow/flow.ts'
import type { Visit } from '../shared/visit.ts'
import { secondStepPath } from './login/view.ts'
import { afterSignIn } from './offered-ways.ts'

export interface SignedIn {
  requires_2fa: boolean
}

export const goOn = (ctx: Context, visit: Visit, { requires_2fa }: SignedIn) =>
  requires_2fa ? visit.go(secondStepPath) : arrive(ctx, visit)

/** Continues the flow at the sign-in page, which then finds the session. */
export function arrive(ctx: Context, visit: Visit) {
  return visit.flow ? visit.go('/login') : goHome(ctx, visit)
}

export function goHome(ctx: Context, visit: Visit) {
  if (visit.kept('wanted') !== undefined) visit.forget('wanted')
  return visit.leave(homeOf(ctx, visit))
}

export const destinationOf = (ctx: Context, visit: Visit): string =>
  visit.flow ? inFlow('/login', visit.flow.id) : homeOf(ctx, visit)

function homeOf({ config }: Context, visit: Visit): string {
  const wanted = visit.kept('wanted')
  return wanted === undefined ? afterSignIn(config) : ownAddress(wanted)
}
