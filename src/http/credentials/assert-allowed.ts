import type { Context, CredentialResource, CredentialView, FoundCredential } from '../../context.ts'
import { trustedPeers } from '../../lib/address.ts'
import { AppError } from '../../lib/errors.ts'
import { sameResource } from '../../lib/same-resource.ts'
import { effectiveScopes } from './scopes.ts'

/** The demands of a request on a credential. They are judged at every use, and never part of the cached value. */
export interface Demands {
  /** All of them must be present. */
  scopes: readonly string[]
  /** The IP address of the caller. A credential with networks is rejected without it. */
  address: string | undefined
  /** The application whose bridge secret was sent. Undefined: all applications. */
  applicationId: string | undefined
  /** The API for which a token must have been issued. Without it, no token is accepted. */
  resource: string | undefined
}

/**
 * Returns the scopes that the credential has at present. Throws INVALID_CREDENTIAL for a token for another API, KEY_PAUSED,
 * KEY_NETWORK or INSUFFICIENT_SCOPE.
 */
export function assertAllowed(
  ctx: Pick<Context, 'staff'>,
  { cached: { view }, roles }: Pick<FoundCredential, 'cached' | 'roles'>,
  { scopes, address, applicationId, resource }: Demands,
): readonly string[] {
  if (view.resource && !isFor(view.resource, resource, applicationId)) throw new AppError('INVALID_CREDENTIAL')
  if (view.isPaused) throw new AppError('KEY_PAUSED')
  if (view.ipRanges.length > 0 && (address === undefined || !rangesOf(view)(address))) throw new AppError('KEY_NETWORK')
  // A permission may have moved to another application since a token was issued.
  const ofApplication = applicationId ?? view.resource?.applicationId ?? undefined
  const effective = effectiveScopes(ctx, view, { roles, applicationId: ofApplication })
  if (!scopes.every((scope) => effective.includes(scope)))
    throw new AppError('INSUFFICIENT_SCOPE', { required: scopes })
  return effective
}

/** A back end of another application must not accept the token, whatever it asks for (RFC 8725, 3.9). */
function isFor(
  { identifier, aliases, applicationId: owner }: CredentialResource,
  asked: string | undefined,
  applicationId: string | undefined,
): boolean {
  if (asked === undefined || (applicationId !== undefined && applicationId !== owner)) return false
  return asked === identifier || [identifier, ...aliases].some((one) => sameResource(one) === sameResource(asked))
}

const parsed = new WeakMap<CredentialView, (address: string) => boolean>()

function rangesOf(view: CredentialView): (address: string) => boolean {
  const known = parsed.get(view)
  if (known) return known
  const isWithin = trustedPeers(view.ipRanges)
  parsed.set(view, isWithin)
  return isWithin
}
