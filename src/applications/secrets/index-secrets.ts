import type { Application, ApplicationSecret } from '../../context.ts'
import type { BridgeRight } from '../../db/rows/applications.ts'
import { isRange, trustedPeers } from '../../lib/address.ts'

/** A secret as nodes keep it in memory. */
export interface StoredSecret {
  id: string
  hash: string
  rights: readonly BridgeRight[]
  ranges: readonly string[]
  /** In milliseconds since 1970. Null if the secret does not end. */
  endsAt: number | null
}

interface Owner {
  application: Application
  secrets: readonly StoredSecret[]
}

/** By hash. The time to find a secret does not depend on how much of it is right, because it is hashed first. */
export const indexSecrets = (owners: readonly Owner[]): ReadonlyMap<string, ApplicationSecret> =>
  new Map(
    owners.flatMap(({ application, secrets }) =>
      secrets.map(({ id, hash, rights, ranges, endsAt }) => [
        hash,
        { id, application, rights, endsAt: endsAt ?? Number.POSITIVE_INFINITY, isAllowedFrom: within(ranges) },
      ]),
    ),
  )

/** A range that was written by hand in another form contains no address, and must not keep the others from being read. */
function within(ranges: readonly string[]): (address: string) => boolean {
  return ranges.length === 0 ? () => true : trustedPeers(ranges.filter(isRange))
}
