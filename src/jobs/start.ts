import { type Db as BossDatabase, PgBoss } from 'pg-boss'
import type { JobKind } from '../adapters/metrics/port.ts'
import { within } from '../adapters/within.ts'
import type { Context } from '../context.ts'
import { waitForSessionLock } from '../db/advisory-locks.ts'
import type { Database } from '../db/connect.ts'
import { hour, minute, second } from '../lib/time.ts'
import { type CleanupJobs, cleanUp } from './clean-up.ts'
import { deliver, type QueuedJobs } from './deliver.ts'
import { coalescedRunner, type ScheduledJob, startScheduledJobs } from './job-scheduler.ts'
import { startMeasuring } from './measure.ts'
import { relayPending } from './relay.ts'
import { claims, releaseDeliveries, watchContact } from './release-deliveries.ts'

const queues = { deliver: 'deliver', janitor: 'janitor' } as const

export interface BackgroundJobs {
  wake(): void
  isHealthy(): boolean
  stop(): Promise<void>
}

const recovery = 10 * second

/** Deliveries are retried if a node is killed or the database is unavailable, so that no message is lost. */
const ownFailures = {
  retryLimit: 20_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 5,
  expireInSeconds: 300,
  heartbeatSeconds: claims.keptSeconds,
  // Finished jobs are deleted after an hour to keep the table small. Their messages remain in the outbox.
  deleteAfterSeconds: hour / second,
}

export const prepareJobs = (database: Database): Promise<void> =>
  alone(database, async () => {
    const boss = newBoss(database, { migrate: true, createSchema: true })
    await startBoss(boss, true)
    await boss.stop({ graceful: false })
  })

async function startBoss(boss: PgBoss, mayCreate: boolean): Promise<void> {
  await boss.start()
  if (!mayCreate) return
  for (const name of Object.values(queues)) await boss.createQueue(name)
  await boss.updateQueue(queues.deliver, ownFailures)
}

/** Runs on one node at a time. pg-boss checks for the schema before it locks, so concurrent starts would conflict. */
async function alone(database: Database, work: () => Promise<void>): Promise<void> {
  const guard = await database.listen?.()
  try {
    if (guard) await waitForSessionLock(guard, 'jobQueue')
    await work()
  } finally {
    // Ending the connection releases the lock.
    await guard?.end()
  }
}

interface Work {
  queuedJobs: QueuedJobs
  cleanupJobs(): CleanupJobs
  scheduledJobs: readonly ScheduledJob[]
}

/** Starts the delivery workers and the schedules. Requests write to the outbox and never call pg-boss. */
export async function startJobs(
  ctx: Context,
  database: Database,
  { queuedJobs, cleanupJobs, scheduledJobs }: Work,
): Promise<BackgroundJobs> {
  const mayCreate = ctx.config.AUTO_MIGRATE
  const contact = watchContact()
  const boss = newBoss(database, {
    migrate: mayCreate,
    createSchema: mayCreate,
    supervise: true,
    schedule: true,
    onResponse: contact.answered,
  })
  let lastTrouble = Number.NEGATIVE_INFINITY
  const report =
    (what: string, kind: JobKind = 'queue') =>
    (error: unknown) => {
      lastTrouble = performance.now()
      ctx.metrics.jobFailed(kind)
      ctx.log.warn({ err: error }, what)
    }
  boss.on('error', report('error of the job queue'))
  // Creates the schema even without pending migrations: an earlier start may have been killed before this step.
  await (mayCreate ? alone(database, () => startBoss(boss, true)) : startBoss(boss, false))
  await boss.schedule(queues.janitor, '*/10 * * * *')
  const worker = await boss.work<{ id: string; attempt?: number }>(
    queues.deliver,
    { batchSize: 20, pollingIntervalSeconds: 1, heartbeatRefreshSeconds: claims.renewedSeconds },
    async (jobs) => {
      const deliveries = jobs.map(({ data, signal }) =>
        deliver(ctx, { boss, queuedJobs }, data, AbortSignal.any([signal, contact.signal()])),
      )
      // Waits for all deliveries before throwing, because pg-boss repeats the entire batch if one delivery fails.
      const failed = (await Promise.allSettled(deliveries)).find(({ status }) => status === 'rejected')
      if (failed) await Promise.all(deliveries)
    },
  )
  await boss.work(queues.janitor, { pollingIntervalSeconds: 30 }, () => cleanUp(ctx, cleanupJobs()))

  const relay = coalescedRunner(async () => {
    const moved = await relayPending(ctx.db, boss)
    if (moved > 0) boss.notifyWorker(worker)
  }, report('could not pass messages to the job queue'))
  const timer = setInterval(relay.wake, second).unref()
  const release = coalescedRunner(async () => {
    const count = await releaseDeliveries(database, boss)
    if (count > 0) ctx.log.warn({ count }, 'restarted deliveries of nodes that have stopped')
  }, report('could not check the deliveries of other nodes'))
  const releaseTimer = setInterval(release.wake, claims.renewedSeconds * second).unref()
  const measuring = startMeasuring(ctx)
  const repeated = startScheduledJobs(
    ctx,
    scheduledJobs,
    report('a scheduled job failed; it will be retried at its next run', 'scheduled'),
  )
  return {
    wake: relay.wake,
    isHealthy: () => performance.now() - lastTrouble > recovery,
    async stop() {
      clearInterval(timer)
      measuring.stop()
      clearInterval(releaseTimer)
      await repeated.stop()
      await relay.idle()
      await release.idle()
      await stopBoss(boss)
      contact.stop()
    },
  }
}

/** Replaces pg-boss's own shutdown, which waits in half-second steps even for idle workers. */
async function stopBoss(boss: PgBoss): Promise<void> {
  const finished = Promise.all(Object.values(queues).map((name) => boss.offWork(name)))
  await within(5 * second, finished).catch(() => {})
  await boss.stop({ graceful: false })
}

interface Options {
  migrate: boolean
  createSchema: boolean
  supervise?: boolean
  schedule?: boolean
  onResponse?: () => void
}

const newBoss = (database: Database, { supervise = false, schedule = false, onResponse, ...options }: Options) =>
  new PgBoss({
    db: asBossDatabase(database, onResponse),
    backend: database.kind === 'embedded' ? 'pglite' : 'postgres',
    schema: 'jobs',
    supervise,
    schedule,
    maintenanceIntervalSeconds: (10 * minute) / second,
    ...options,
  })

/** SQL text without values may contain several statements, which only the simple query protocol accepts. */
const asBossDatabase = (database: Database, onResponse = () => {}): BossDatabase => ({
  async executeSql(text: string, values?: unknown[]) {
    const rows = values && values.length > 0 ? await database.query(text, values) : (await database.exec(text)).flat()
    onResponse()
    return { rows }
  },
})
