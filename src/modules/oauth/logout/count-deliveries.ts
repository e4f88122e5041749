import { onePerDatabase } from '../../../context/one-per-database.ts'

/** `retried`: the attempt failed and is repeated later. `failed`: the last one failed, or the call waited for too long. */
export type LogoutOutcome = 'delivered' | 'retried' | 'failed'

/** Counts the calls of this process to clients, for the metrics. */
export const logoutCountsOf = onePerDatabase(({ metrics }) => {
  const counts = { delivered: countOf('delivered'), retried: countOf('retried'), failed: countOf('failed') }
  const about = { name: 'oauth_logout_deliveries_total', help: 'Calls to OAuth clients whose sessions ended' }
  metrics.countedElsewhere({ ...about, series: Object.values(counts) })
  return (outcome: LogoutOutcome, times = 1): void => {
    counts[outcome].count += times
  }
})

const countOf = (outcome: LogoutOutcome) => ({ labels: { outcome }, count: 0 })
