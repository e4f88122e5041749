import type { FastifyRequest } from 'fastify'
import { addressKey } from '../../lib/address.ts'
import { AppError } from '../../lib/errors.ts'

const limit = 'credential_fail'

/** The users of a back end that does not send their addresses share one limit. */
const sharedBy = 100

/**
 * Counts well-formed credentials that do not exist, by the caller's address or by the bridge secret, so that guessing costs
 * few queries. A credential in memory or in the shared cache is never rejected.
 */
export function unknownKeys({ server: { limits }, bridgeSecret }: FastifyRequest, address: string | undefined) {
  const key = address === undefined ? `secret:${bridgeSecret?.name}` : addressKey(address)
  const factor = address === undefined ? sharedBy : 1
  return {
    assertRoom(): void {
      const { remaining, retryAfter } = limits.standing(limit, key, factor)
      if (remaining === 0) throw new AppError('RATE_LIMITED', { retryAfter })
    },
    count: () => void limits.countLocally(limit, key, factor),
  }
}
