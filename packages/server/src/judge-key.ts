import type { KeyUse, ValidatedKey } from './credential.ts'
import { isRange, trustedPeers } from './end-user.ts'

type KeyRejection = 'KEY_NETWORK' | 'INSUFFICIENT_SCOPE'

/** The reason to reject this use of a valid key, if any. Without the visitor's address, a key with networks is rejected. */
export function rejectionOf(key: ValidatedKey, { endUser, scopes }: KeyUse): KeyRejection | undefined {
  if (key.key.ip_ranges.length > 0 && !isWithin(key, endUser.ip)) return 'KEY_NETWORK'
  return scopes.every((scope) => key.scopes.includes(scope)) ? undefined : 'INSUFFICIENT_SCOPE'
}

const networks = new WeakMap<ValidatedKey, ReturnType<typeof trustedPeers>>()

function isWithin(key: ValidatedKey, address: string | undefined): boolean {
  if (address === undefined || address === '') return false
  const known = networks.get(key) ?? trustedPeers(key.key.ip_ranges.filter(isRange))
  networks.set(key, known)
  return known.has(address)
}
