import type { LookupResult, Question } from './ask-service.ts'
import type { BearerSource, BearerUse, ValidatedBearer } from './credential.ts'
import { WardenryError } from './errors.ts'
import { rejectionOf } from './judge-bearer.ts'
import type { SessionCache } from './session-cache.ts'

/**
 * Serves cached keys and tokens. If a use of a cached one is not permitted, queries the service, which decides again and
 * records the rejection.
 */
export function cachedBearers(
  cache: SessionCache,
  lookUp: (question: Question) => Promise<LookupResult>,
): BearerSource {
  const peek = (bearer: string, use: BearerUse): ValidatedBearer | 'ask' => {
    const known = cache.known(bearer)?.value as ValidatedBearer | undefined
    if (known === undefined || rejectionOf(known, use)) return 'ask'
    return (cache.get(bearer, use.endUser, use.scopes, use.resource) as ValidatedBearer | undefined) ?? 'ask'
  }
  return {
    peek,
    async validate(bearer, use) {
      const known = peek(bearer, use)
      if (known !== 'ask') return known
      const { endUser, scopes, resource } = use
      const response = await lookUp({ token: bearer, endUser, scopes, resource })
      if (response.state === 'refused') throw new WardenryError(response.code ?? 'INVALID_CREDENTIAL')
      return response.value as ValidatedBearer
    },
  }
}
