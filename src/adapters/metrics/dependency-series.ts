import type { Instruments } from './instruments.ts'
import {
  type DependencyName,
  jobKinds,
  type PoolUse,
  type SealAges,
  smtpErrors,
  spanLosses,
  storageOperations,
} from './port.ts'

export function dependencySeries({ counterOf, gauge }: Instruments) {
  const up = gauge('dependency_up', '1 while the dependency responds, else 0', { labels: ['name'], aggregator: 'min' })
  const writable = gauge('database_writable', '1 while the database accepts writes, else 0', { aggregator: 'min' })
  const newestSeal = gauge('audit_seal_age_seconds', 'Age of the newest seal of the audit trail', { aggregator: 'max' })
  const unsealed = gauge('audit_unsealed_age_seconds', 'Age of the oldest audit event without a seal', {
    aggregator: 'max',
  })
  return {
    dependency: (name: DependencyName, isUp: boolean) => up.set({ name }, isUp ? 1 : 0),
    databaseWritable: (isWritable: boolean) => writable.set(isWritable ? 1 : 0),
    connections(read: () => PoolUse) {
      gauge('database_connections', 'Connections of the pool', {
        labels: ['state'],
        collect(connections) {
          const { inUse, idle } = read()
          connections.set({ state: 'in_use' }, inUse)
          connections.set({ state: 'idle' }, idle)
        },
      })
      gauge('database_waiting', 'Requests that wait for a connection of the pool', {
        collect: (waiting) => waiting.set(read().waiting),
      })
    },
    clockSkew(read: () => number) {
      gauge('clock_skew_seconds', 'Difference between the clocks of this machine and the database', {
        // Uses the absolute value so that the maximum over all workers is the worst value.
        aggregator: 'max',
        collect: (skew) => skew.set(Math.abs(read())),
      })
    },
    smtpError: counterOf('smtp_errors_total', 'Failed deliveries to the mail server', 'outcome', smtpErrors),
    storageError: counterOf(
      'storage_errors_total',
      'Failed operations of the file storage',
      'operation',
      storageOperations,
    ),
    jobFailed: counterOf('job_failures_total', 'Failed background jobs', 'kind', jobKinds),
    spansDropped: counterOf(
      'trace_spans_dropped_total',
      'Spans that were not sent to the OpenTelemetry collector',
      'reason',
      spanLosses,
    ),
    auditSeals(ages: SealAges) {
      newestSeal.set(ages.newest)
      unsealed.set(ages.unsealed)
    },
  }
}
