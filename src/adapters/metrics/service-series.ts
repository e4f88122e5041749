import { version } from '../../lib/version.ts'
import type { Instruments } from './instruments.ts'
import { deliveryOutcomes, hookOutcomes, type LookupSource, type WaitingDeliveries, webhookOutcomes } from './port.ts'

const maxApplications = 100
// A key has hyphens but never parentheses, so no application looks like one of these two.
const [ofSettings, ofOthers] = ['(settings)', '(other)']

/** Limits the number of series. */
function limitedLabels(max: number, other: string): (value: string) => string {
  const known = new Set<string>()
  return (value) => {
    if (known.size < max) known.add(value)
    return known.has(value) ? value : other
  }
}

function lookupCounts() {
  const from = (source: LookupSource) => ({ labels: { source }, count: 0 })
  return { memory: from('memory'), redis: from('redis'), database: from('database'), unknown: from('unknown') }
}

export function serviceSeries({ counter, counterOf, countedElsewhere, gauge }: Instruments) {
  const labelOf = limitedLabels(maxApplications, ofOthers)
  const build = gauge('build_info', 'Always 1; the label is the release', { labels: ['version'], aggregator: 'max' })
  build.set({ version }, 1)
  const lookups = lookupCounts()
  const help = 'Session lookups by the tier that answered'
  countedElsewhere({ name: 'session_lookups_total', help, series: Object.values(lookups) })
  const hashesRunning = gauge('password_hashes_running', 'Password hashes being computed')
  const hashesQueued = gauge('password_hashes_queued', 'Password hashes in the queue')
  const hashesRejected = counter('password_hashes_rejected_total', 'Password hashes refused because the queue was full')
  const limited = counter('rate_limited_total', 'Requests refused by a rate limit', 'class')
  const handedOver = counter('application_sessions_total', 'Sessions handed over to applications', 'application')
  handedOver.inc({ application: ofSettings }, 0)
  const outboxDepth = gauge('outbox_depth', 'Messages committed and not yet delivered', { aggregator: 'max' })
  const webhookWaiting = gauge('webhook_deliveries_waiting', 'Deliveries of events not yet accepted', {
    aggregator: 'max',
  })
  const webhookAge = gauge('webhook_oldest_delivery_seconds', 'Age of the oldest delivery not yet accepted', {
    aggregator: 'max',
  })
  return {
    sessionLookup(source: LookupSource) {
      lookups[source].count++
    },
    passwordHashes(running: number, queued: number) {
      hashesRunning.set(running)
      hashesQueued.set(queued)
    },
    countedElsewhere,
    passwordHashRejected: () => hashesRejected.inc(),
    limitClasses(names: Iterable<string>) {
      for (const name of names) limited.inc({ class: name }, 0)
    },
    rateLimited: (limitClass: string) => limited.inc({ class: limitClass }),
    handedOver: (key: string | undefined) =>
      handedOver.inc({ application: key === undefined ? ofSettings : labelOf(key) }),
    outboxDepth: (messages: number) => outboxDepth.set(messages),
    passwordHook: counterOf('password_hook_requests_total', 'Passwords sent to the hook', 'outcome', hookOutcomes),
    registrationHook: counterOf(
      'registration_hook_requests_total',
      'Registrations sent to the hook',
      'outcome',
      hookOutcomes,
    ),
    webhookAttempt: counterOf('webhook_attempts_total', 'Attempts to deliver an event', 'outcome', webhookOutcomes),
    webhookDeliveries({ waiting, oldest }: WaitingDeliveries) {
      webhookWaiting.set(waiting)
      webhookAge.set(oldest)
    },
    delivery: counterOf('outbox_deliveries_total', 'Attempts to deliver a message', 'outcome', deliveryOutcomes),
  }
}
