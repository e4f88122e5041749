import type { BearerUse, ValidatedBearer, ValidatedKey } from './credential.ts'
import { isRange, trustedPeers } from './end-user.ts'
import { sameResource } from './same-resource.ts'

type BearerRejection = 'INVALID_CREDENTIAL' | 'KEY_NETWORK' | 'INSUFFICIENT_SCOPE'

/**
 * The reason to reject this use of a valid key or token, if any. Without the visitor's address, a key with networks is
 * rejected. A token opens only the API for which it was issued, and a key no API by its identifier.
 */
export function rejectionOf(
  bearer: ValidatedBearer,
  { endUser, scopes, resource }: BearerUse,
): BearerRejection | undefined {
  if (bearer.kind === 'api_key') {
    if (resource !== undefined) return 'INVALID_CREDENTIAL'
    if (bearer.key.ip_ranges.length > 0 && !isWithin(bearer, endUser.ip)) return 'KEY_NETWORK'
  } else if (resource === undefined || !isSame(resource, bearer.resource)) {
    return 'INVALID_CREDENTIAL'
  }
  return scopes.every((scope) => bearer.scopes.includes(scope)) ? undefined : 'INSUFFICIENT_SCOPE'
}

/** Rules usually name the API as the service does, which needs no parsing. */
const isSame = (one: string, other: string): boolean => one === other || sameResource(one) === sameResource(other)

const networks = new WeakMap<ValidatedKey, ReturnType<typeof trustedPeers>>()

function isWithin(key: ValidatedKey, address: string | undefined): boolean {
  if (address === undefined || address === '') return false
  const known = networks.get(key) ?? trustedPeers(key.key.ip_ranges.filter(isRange))
  networks.set(key, known)
  return known.has(address)
}
