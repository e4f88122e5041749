import type { RateLimitStore } from './port.ts'

export type RunQuery = (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>

// The row lock serializes concurrent attempts so that each gets its own count. The commit does not wait for the disk, so
// that requests from many addresses do not delay other transactions. A crash of the server can lose the last counts.
const countHit = `
  INSERT INTO rate_limits AS known (key, count, resets_at)
  SELECT $1, 1, statement_timestamp() + $2 * interval '1 millisecond' FROM set_config('synchronous_commit', 'off', true)
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN known.resets_at > statement_timestamp() THEN known.count + 1 ELSE 1 END,
    resets_at = CASE WHEN known.resets_at > statement_timestamp() THEN known.resets_at ELSE excluded.resets_at END
  RETURNING count, (extract(epoch FROM resets_at - statement_timestamp()) * 1000)::bigint AS rest`

export function createPostgresRateLimits(query: RunQuery): RateLimitStore {
  return {
    async hit(key, windowMs) {
      const [row] = await query(countHit, [key, windowMs])
      return { count: Number(row?.count), resetsInMs: Math.max(0, Number(row?.rest)), degraded: false }
    },
    async close() {},
  }
}

const purge = `
  WITH ended AS (
    SELECT key FROM rate_limits WHERE resets_at <= statement_timestamp() ORDER BY resets_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ), deleted AS (
    DELETE FROM rate_limits USING ended WHERE rate_limits.key = ended.key RETURNING 1
  )
  SELECT count(*)::integer AS deleted FROM deleted`

export async function purgeExpired(query: RunQuery, limit = 1_000): Promise<number> {
  const [row] = await query(purge, [limit])
  return Number(row?.deleted)
}
