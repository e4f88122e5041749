import { onePerDatabase } from '../../../context/one-per-database.ts'
import type { TokenFormat } from '../rows.ts'

/** `machine`: for client credentials. `user`: for a code or a refresh token. */
type TokenHolder = 'machine' | 'user'

const grantOf: Record<TokenHolder, string> = { machine: 'client_credentials', user: 'user' }

/** Counts the access tokens that this process issues, for the metrics. */
export const tokenCountsOf = onePerDatabase(({ metrics }) => {
  const counts = { machine: countsOf('machine'), user: countsOf('user') }
  const series = Object.values(counts).flatMap((byFormat) => Object.values(byFormat))
  metrics.countedElsewhere({ name: 'oauth_tokens_total', help: 'Access tokens issued', series })
  return (format: TokenFormat, holder: TokenHolder): void => void counts[holder][format].count++
})

const countsOf = (holder: TokenHolder) => ({ jwt: countOf(holder, 'jwt'), opaque: countOf(holder, 'opaque') })

const countOf = (holder: TokenHolder, format: TokenFormat) => ({
  labels: { grant: grantOf[holder], format },
  count: 0,
})
