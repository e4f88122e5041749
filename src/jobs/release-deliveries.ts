import type { PgBoss } from 'pg-boss'
import type { Database } from '../db/connect.ts'
import { second } from '../lib/time.ts'

/** A node that delivers renews its claim every `renewed` seconds; a claim older than `kept` seconds is given up. */
export const claims = { renewedSeconds: 5, keptSeconds: 20 }

/** Well before another node may take over a claim that could not be renewed. */
const contactLimit = 12 * second

/**
 * Hands deliveries of nodes that have ended to those that run. pg-boss does the same, but looks only once a minute. Gives
 * how many there were.
 */
export async function releaseDeliveries(database: Database, boss: PgBoss): Promise<number> {
  const stale = await database.query<{ id: string; retryCount: number }>(
    `SELECT id, retry_count AS "retryCount" FROM jobs.job WHERE name = 'deliver' AND state = 'active'
       AND heartbeat_on < jobs.job_now() - heartbeat_seconds * interval '1 second'`,
    [],
  )
  // With the attempt, so that a job which another node has just released and claimed stays where it is.
  if (stale.length > 0) await boss.fail('deliver', stale, { message: 'its node has ended' })
  return stale.length
}

/** Tells deliveries to end when this node cannot know any more whether they are still its own. */
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
