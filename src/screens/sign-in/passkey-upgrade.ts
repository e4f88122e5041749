import type { Config } from '../../config/load.ts'
import { pagesOfferPasskeys } from '../../config/passkeys.ts'
import type { Context } from '../../context.ts'
import { ListPasskeysRoute, PasskeyOfferRoute } from '../../passkeys/schemas.ts'
import { CurrentRoute } from '../../sessions/route-schemas.ts'
import { passkeyOfferPath, recoverPasskeyPath, secondStepPath } from '../../ui/paths.ts'
import { call } from '../../ui/shared/api-route.ts'
import type { PageVisit } from '../../ui/shared/visit.ts'
import { finishSignIn, homeOf, type SignedIn } from './login-steps.ts'

/** The step after a sign-in with a password. Undefined if passkeys cannot be created on them. */
export const upgradeOf = (config: Config): 'offer' | 'silent' | undefined =>
  pagesOfferPasskeys(config) && config.PASSKEY_UPGRADE !== 'off' ? config.PASSKEY_UPGRADE : undefined

interface PasswordSignIn extends SignedIn {
  sessionId?: string | undefined
  /** Whether the script of the sign-in page has found that the browser can create passkeys. */
  canCreate: boolean
}

/** The second step must know what the script of the first page has found, so the browser keeps it in a cookie. */
export function continuePasswordSignIn(ctx: Context, visit: PageVisit, signIn: PasswordSignIn) {
  const { requires_2fa, passkey_required, sessionId, canCreate } = signIn
  if (passkey_required) return visit.go(recoverPasskeyPath)
  if (requires_2fa) {
    if (canCreate) visit.setStateCookie('upgrade', 'true')
    return visit.go(secondStepPath)
  }
  return canCreate ? finishUpgrading(ctx, visit, sessionId) : finishSignIn(ctx, visit)
}

export function finishSecondStep(ctx: Context, visit: PageVisit, sessionId: string | undefined) {
  if (visit.stateCookie('upgrade') === undefined) return finishSignIn(ctx, visit)
  visit.clearStateCookie('upgrade')
  return finishUpgrading(ctx, visit, sessionId)
}

/**
 * The offer is a page before the end of the sign-in. Silently, the browser creates a passkey on the account overview, so
 * that no application waits for it.
 */
async function finishUpgrading(ctx: Context, visit: PageVisit, sessionId: string | undefined) {
  const upgrade = upgradeOf(ctx.config)
  if (upgrade === 'offer' && (await isOffered(visit, sessionId))) return visit.go(passkeyOfferPath)
  const isOurs = visit.flow?.returnTo === undefined && homeOf(ctx, visit) === '/account'
  if (upgrade === 'silent' && isOurs) visit.setStateCookie('upgrade', 'true')
  return finishSignIn(ctx, visit)
}

/** The request still has the cookie of the session before. Without a response, the sign-in continues without an offer. */
async function isOffered({ api }: PageVisit, sessionId: string | undefined): Promise<boolean> {
  const headers: Record<string, string> = sessionId === undefined ? {} : { 'x-session-id': sessionId }
  const response = await api(call(PasskeyOfferRoute, { headers })).catch(() => undefined)
  return response?.ok === true && response.body.offer
}

/** Whether the account overview, which ends the sign-in, lets the browser create a passkey. Only the first time. */
export async function upgradesSilently(ctx: Context, visit: PageVisit): Promise<boolean> {
  if (visit.stateCookie('upgrade') === undefined) return false
  visit.clearStateCookie('upgrade')
  return upgradeOf(ctx.config) === 'silent' && (await isOwnerWithoutPasskey(visit))
}

/** Superadmins who act as the user create no passkeys. */
export async function isOwnerWithoutPasskey({ api }: Pick<PageVisit, 'api'>): Promise<boolean> {
  const [current, list] = [await api(call(CurrentRoute)), await api(call(ListPasskeysRoute))]
  const isOwner = current.ok && current.body.impersonated_by === undefined
  return isOwner && list.ok && list.body.passkeys.length === 0
}
