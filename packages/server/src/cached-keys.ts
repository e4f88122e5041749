import type { LookupResult, Question } from './ask-service.ts'
import type { KeySource, KeyUse, ValidatedKey } from './credential.ts'
import { WardenryError } from './errors.ts'
import { rejectionOf } from './judge-key.ts'
import type { SessionCache } from './session-cache.ts'

/**
 * Serves cached keys. If a use of a cached key is not permitted, queries the service, which decides again and records
 * the rejection.
 */
export function cachedKeys(cache: SessionCache, lookUp: (question: Question) => Promise<LookupResult>): KeySource {
  const peek = (key: string, use: KeyUse): ValidatedKey | 'ask' => {
    const known = cache.known(key)?.value as ValidatedKey | undefined
    if (known === undefined || rejectionOf(known, use)) return 'ask'
    return (cache.get(key, use.endUser, use.scopes) as ValidatedKey | undefined) ?? 'ask'
  }
  return {
    peek,
    async validate(key, use) {
      const known = peek(key, use)
      if (known !== 'ask') return known
      const response = await lookUp({ token: key, endUser: use.endUser, scopes: use.scopes })
      if (response.state === 'refused') throw new WardenryError(response.code ?? 'INVALID_CREDENTIAL')
      return response.value as ValidatedKey
    },
  }
}
