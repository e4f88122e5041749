import type { SignInRules } from '../../../http/responses/sign-in-rules.ts'
import { second } from '../../../lib/time.ts'
import type { Client } from '../clients/client-view.ts'
import type { StoredConsent } from '../consent/consent-queries.ts'
import type { StoredParameters } from '../grant-rows.ts'
import type { Visitor } from './visitor.ts'

export interface Asking {
  client: Client
  params: StoredParameters
  /** When the request began, in milliseconds since 1970. Undefined if the decision is made at once. */
  begunAt: number | undefined
  rules: SignInRules
  consent: StoredConsent | undefined
  /** When wrong passwords locked the account, if it still is, in milliseconds since 1970. */
  lockedSince: number | undefined
}

/** `unmet`: the user signed in for the request, but without the second factor that it demands. */
export type Denial = 'impersonated' | 'not_allowed' | 'unmet'

/** `another`: the sign-in page is shown although the browser has a session. */
export type Decision =
  | { next: 'sign_in'; another: boolean; provenSince: number | undefined }
  | { next: 'deny'; why: Denial }
  | { next: 'ask'; scopes: string[] }
  | { next: 'issue'; scopes: string[] }

/** What a request for authorization needs next (OpenID Connect Core, 3.1.2.3 and 3.1.2.4). Without I/O. */
export function decide(asking: Asking, visitor: Visitor | undefined, now: number): Decision {
  const { client, params, rules } = asking
  const provenSince = earliestProof(asking, now)
  const signIn = { next: 'sign_in', another: false, provenSince } as const
  if (!visitor) return signIn
  if (visitor.isImpersonated) return { next: 'deny', why: 'impersonated' }
  if (params.subject !== null && params.subject !== visitor.user.id) return { ...signIn, another: true }
  if (provenSince !== undefined && visitor.provedAt < provenSince) return signIn
  // Someone may be guessing the password of a session that was left open.
  if (asking.lockedSince !== undefined && visitor.provedAt < asking.lockedSince)
    return { ...signIn, provenSince: asking.lockedSince }
  if (!rules.accepts(visitor.session.sign_in_method)) return signIn
  if (!mayUse(client, visitor)) return { next: 'deny', why: 'not_allowed' }
  const factor = secondFactorFor(asking, visitor)
  if (factor !== 'enough') return factor === 'sign_in' ? { ...signIn, another: true } : { next: 'deny', why: 'unmet' }
  const scopes = visitor.mayGrant(params.scopes).toSorted()
  return { next: needsConsent(asking, scopes, now) ? 'ask' : 'issue', scopes }
}

/** Who may sign in to the application. */
export const mayUse = (
  { signIn: { allowedTypes, requiredPermission } }: Pick<Client, 'signIn'>,
  { user, hasPermission }: Pick<Visitor, 'user' | 'hasPermission'>,
): boolean =>
  (allowedTypes.length === 0 || allowedTypes.includes(user.user_type)) &&
  (requiredPermission === null || hasPermission(requiredPermission))

/** A proof from before the request does not satisfy `prompt=login`, nor one that was too old for `max_age` then. */
function earliestProof({ params, begunAt = Number.POSITIVE_INFINITY }: Asking, now: number): number | undefined {
  if (params.prompts.includes('login')) return begunAt
  return params.max_age === null ? undefined : Math.min(begunAt, now) - params.max_age * second
}

/** Users who have no second factor cannot confirm their session. They are asked at most once per request. */
function secondFactorFor({ params, begunAt }: Asking, visitor: Visitor): 'enough' | 'sign_in' | 'unmet' {
  if (!params.wants_mfa || visitor.isConfirmed) return 'enough'
  const isFresh = begunAt !== undefined && visitor.provedAt >= begunAt
  if (!isFresh && (params.needs_mfa || visitor.user.two_factor)) return 'sign_in'
  return params.needs_mfa ? 'unmet' : 'enough'
}

function needsConsent({ client, params, consent }: Asking, scopes: readonly string[], now: number): boolean {
  if (params.prompts.some((prompt) => prompt === 'consent' || prompt === 'select_account')) return true
  // Any program on the device can pretend to be a native client.
  if (client.type === 'native') return true
  if (client.signIn.isTrusted) return false
  if (!consent || consent.expires_at.getTime() <= now) return true
  const { resource, redirect_uri } = params
  return !(
    scopes.every((scope) => consent.scopes.includes(scope)) &&
    (resource === null || consent.resources.includes(resource)) &&
    consent.targets.includes(redirectTargetOf(redirect_uri))
  )
}

/** The host to which a user is sent, or the scheme of a program on the user's device. */
export function redirectTargetOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  return /^https?:$/.test(protocol) ? host : protocol
}
