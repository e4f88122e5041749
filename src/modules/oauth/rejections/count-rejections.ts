import { onePerDatabase } from '../../../context/one-per-database.ts'
import { type ClientRejectionReason, clientRejectionReasons } from './reasons.ts'

/** Counts rejected requests of known clients, for the metrics. */
export const rejectionCountsOf = onePerDatabase(({ metrics }) => {
  const counts = new Map(clientRejectionReasons.map((reason) => [reason, { labels: { reason }, count: 0 }]))
  const help = 'Rejected requests of OAuth clients'
  metrics.countedElsewhere({ name: 'oauth_rejections_total', help, series: [...counts.values()] })
  return (reason: ClientRejectionReason): void => {
    const counted = counts.get(reason)
    if (counted) counted.count++
  }
})
