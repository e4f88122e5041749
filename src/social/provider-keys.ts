import { createRemoteJWKSet, customFetch, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { Clock } from '../lib/time.ts'
import { minute, second } from '../lib/time.ts'
import type { ProviderFetch } from './provider-fetch.ts'

export interface ProviderKeys {
  find: JWTVerifyGetKey
  /** The keys that were fetched last. */
  jwks(): JSONWebKeySet | undefined
}

const cacheTime = 10 * minute
/** Anyone can send tokens with made-up key ids. */
const minRefetchInterval = 30 * second

/** The keys are fetched on demand, and once more if a token names a key that was published since. */
export function providerKeys(clock: Clock, address: string, fetch: ProviderFetch): ProviderKeys {
  const remote = createRemoteJWKSet(new URL(address), {
    [customFetch]: fetch,
    cacheMaxAge: cacheTime,
    // The library would count this time from every fetch, so that it would refuse keys published right after one.
    cooldownDuration: cacheTime,
  })
  let refetchedAt = Number.NEGATIVE_INFINITY
  return {
    async find(header, token) {
      try {
        return await remote(header, token)
      } catch (error) {
        const now = clock.now()
        if (!(error instanceof errors.JWKSNoMatchingKey) || now - refetchedAt < minRefetchInterval) throw error
        refetchedAt = now
        await remote.reload()
        return remote(header, token)
      }
    },
    jwks: () => remote.jwks(),
  }
}
