import type { PgBoss } from 'pg-boss'
import type { Database } from '../db/connect.ts'
import { second } from '../lib/time.ts'

/** Nodes renew their claims every `renewedSeconds`; a claim older than `keptSeconds` is released. */
export const claims = { renewedSeconds: 5, keptSeconds: 20 }

/** Shorter than the time after which other nodes release a claim that was not renewed. */
const contactLimit = 12 * second

/** pg-boss would release deliveries of ended nodes later. */
export async function releaseDeliveries(database: Database, boss: PgBoss): Promise<number> {
  const stale = await database.query<{ id: string; retryCount: number }>(
    `SELECT id, retry_count AS "retryCount" FROM jobs.job WHERE name = 'deliver' AND state = 'active'
       AND heartbeat_on < jobs.job_now() - heartbeat_seconds * interval '1 second'`,
    [],
  )
  // With the attempt, so that a job claimed again by another node is not affected.
  if (stale.length > 0) await boss.fail('deliver', stale, { message: 'its node has stopped' })
  return stale.length
}

/** Aborts deliveries if this node can no longer know whether it holds their claims. */
export function watchContact() {
  let lastAnswer = performance.now()
  let controller = new AbortController()
  const timer = setInterval(() => {
    if (performance.now() - lastAnswer > contactLimit) controller.abort(new Error('the database does not answer'))
  }, second).unref()
  return {
    answered() {
      lastAnswer = performance.now()
      if (controller.signal.aborted) controller = new AbortController()
    },
    signal: () => controller.signal,
    stop: () => clearInterval(timer),
  }
}
