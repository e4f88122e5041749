import { onePerDatabase } from '../../../context/one-per-database.ts'
import type { TokenFormat } from '../rows.ts'

const grant = 'client_credentials'

/** Counts the tokens that this process issues, for the metrics. */
export const tokenCountsOf = onePerDatabase(({ metrics }) => {
  const counts = { jwt: countOf('jwt'), opaque: countOf('opaque') }
  metrics.countedElsewhere({ name: 'oauth_tokens_total', help: 'Access tokens issued', series: Object.values(counts) })
  return (format: TokenFormat): void => void counts[format].count++
})

const countOf = (format: TokenFormat) => ({ labels: { grant, format }, count: 0 })
