import type { PgBoss } from 'pg-boss'
import type { Database } from '../db/connect.ts'
import { second } from '../lib/time.ts'

/** A node renews its claims every `renewedSeconds`. A claim that has not been renewed for `keptSeconds` is released. */
export const claims = { renewedSeconds: 5, keptSeconds: 20 }

/** Must be shorter than `keptSeconds`, after which other nodes release the claim. */
const contactLimit = 12 * second

/** Releases deliveries claimed by stopped nodes, because pg-boss itself would take longer to do so. */
export async function releaseDeliveries(database: Database, boss: PgBoss): Promise<number> {
  const stale = await database.query<{ id: string; retryCount: number }>(
    `SELECT id, retry_count AS "retryCount" FROM jobs.job WHERE name = 'deliver' AND state = 'active'
       AND heartbeat_on < jobs.job_now() - heartbeat_seconds * interval '1 second'`,
    [],
  )
  // Compares the retry count so that a job that another node has since claimed is not marked as failed.
  if (stale.length > 0) await boss.fail('deliver', stale, { message: 'its node has stopped' })
  return stale.length
}

/** If the database does not respond for `contactLimit`, aborts deliveries before other nodes release the claims. */
export function watchContact() {
  let lastResponse = performance.now()
  let controller = new AbortController()
  const timer = setInterval(() => {
    if (performance.now() - lastResponse > contactLimit) controller.abort(new Error('the database does not answer'))
  }, second).unref()
  return {
    answered() {
      lastResponse = performance.now()
      if (controller.signal.aborted) controller = new AbortController()
    },
    signal: () => controller.signal,
    stop: () => clearInterval(timer),
  }
}
