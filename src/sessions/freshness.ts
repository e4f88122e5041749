import type { FixedConfig } from '../config/load.ts'
import type { ReadView } from '../context.ts'
import type { Freshness } from '../lib/versioned-cache.ts'
import { expiryOf } from './session.ts'

/** After this fraction of the cache lifetime, the next use of a session or credential revalidates it in the background. */
export const revalidateAfter = 0.5

/**
 * `readAt` is in milliseconds. Sessions read by one statement share one `Freshness` object to reduce the work of the
 * garbage collector.
 */
export function freshnessAt(config: FixedConfig, readAt: number): (view: ReadView) => Freshness {
  const lifetime = config.SESSION_VALIDATION_CACHE_TTL
  const usual = { readAt, revalidateFrom: readAt + lifetime * revalidateAfter, freshUntil: readAt + lifetime }
  return ({ session, user, grants }) => {
    // Partial sessions are never served from memory.
    if (session.status !== 'active') return { readAt, revalidateFrom: 0, freshUntil: 0 }
    const expiry = Math.min(expiryOf(config, session, user.user_type), grants.until ?? Number.POSITIVE_INFINITY)
    if (expiry >= usual.freshUntil) return usual
    return { readAt, revalidateFrom: Math.min(usual.revalidateFrom, expiry), freshUntil: expiry }
  }
}
