import { sql } from 'kysely'
import type { UsageKind } from '../context/usage.ts'
import { measuredBlocks, sampleOf, timesOf } from '../db/sample.ts'
import type { Db } from '../db/tables.ts'

interface NamedUses {
  kind: UsageKind
  name: string
  count: number
}

/** Every node updates the rows in the same order so that concurrent updates cannot deadlock. */
export async function addUsage(db: Db, used: readonly NamedUses[], at: Date): Promise<void> {
  const [kinds, names] = [used.map(({ kind }) => kind), used.map(({ name }) => name)]
  const counts = used.map(({ count }) => count)
  await sql`INSERT INTO usage_counts (kind, name, hour, count, last_at)
    SELECT kind, name, date_trunc('hour', ${at}::timestamptz, 'UTC'), count, ${at}::timestamptz
    FROM unnest(${kinds}::text[], ${names}::text[], ${counts}::bigint[]) AS used (kind, name, count)
    ORDER BY kind, name
    ON CONFLICT (kind, name, hour) DO UPDATE SET count = usage_counts.count + excluded.count,
      last_at = greatest(usage_counts.last_at, excluded.last_at)`.execute(db)
}

export interface UsageFigures {
  name: string
  last_at: Date
  last_day: number
  last_month: number
}

/** Without `names`, all names of the kind are returned. */
export async function findUsage(
  db: Db,
  kind: UsageKind,
  since: { day: Date; month: Date },
  names: readonly string[] | null,
): Promise<UsageFigures[]> {
  const sumSince = (start: Date) => sql`coalesce(sum(count) FILTER (WHERE hour >= ${start}), 0)::bigint`
  const { rows } = await sql<UsageFigures>`SELECT name, max(last_at) AS last_at,
      ${sumSince(since.day)} AS last_day, ${sumSince(since.month)} AS last_month
    FROM usage_counts WHERE kind = ${kind} AND (${names}::text[] IS NULL OR name = ANY(${names}::text[])) GROUP BY name ORDER BY name`.execute(
    db,
  )
  return rows
}

export interface BusyApplication {
  application_id: string
  key: string
  name: string
  sign_ins: number
}

/** The applications with the most sign-ins. */
export async function findBusiest(db: Db, since: Date, limit: number): Promise<BusyApplication[]> {
  const { rows } = await sql<BusyApplication>`SELECT a.id AS application_id, a.key, a.name, used.sign_ins
    FROM (SELECT name, sum(count)::bigint AS sign_ins FROM usage_counts
      WHERE kind = 'application' AND hour >= ${since} GROUP BY name) AS used
    JOIN applications a ON a.id::text = used.name AND a.deleted_at IS NULL
    ORDER BY used.sign_ins DESC, a.key LIMIT ${limit}`.execute(db)
  return rows
}

/**
 * Keeps the newest row of each name, because it contains the time of the last use, except that of an application or a
 * secret of one that no longer exists. Such a name is an id, which is longer than the names in settings.
 */
export async function deleteOldUsage(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM usage_counts WHERE (kind, name, hour) IN (
    SELECT kind, name, hour FROM usage_counts AS old WHERE hour < ${before} AND (EXISTS (
      SELECT FROM usage_counts AS newer
      WHERE newer.kind = old.kind AND newer.name = old.name AND newer.hour > old.hour)
      OR (kind = 'application' AND NOT EXISTS (SELECT FROM applications WHERE id::text = old.name))
      OR (kind = 'bridge_secret' AND length(name) = 36
        AND NOT EXISTS (SELECT FROM application_secrets WHERE id::text = old.name)))
    ORDER BY kind, name, hour LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

export const sessionAges = ['hour', 'day', 'week', 'month', 'older'] as const

export type SessionAge = (typeof sessionAges)[number]

export const sessionDevices = ['computer', 'mobile', 'other'] as const

export type SessionDevice = (typeof sessionDevices)[number]

/** The names of operating systems as they appear at the end of `user_device`, for example in "Firefox on Linux". */
const systems = {
  computer: ['Windows', 'macOS', 'Linux', 'Chrome OS'],
  mobile: ['Android', 'iOS', 'HarmonyOS', 'Windows Phone', 'BlackBerry', 'Tizen', 'KaiOS'],
}

/**
 * Called only by a background job, because it takes up to a few hundred milliseconds. Sessions used since `usedSince` count
 * as live. In a large table, they are estimated from a sample.
 */
export async function recountSessions(db: Db, usedSince: Date, now: Date): Promise<void> {
  const ago = (interval: string) => sql`${now}::timestamptz - ${interval}::interval`
  await sql`DELETE FROM session_figures`.execute(db)
  await sql`INSERT INTO session_figures (age, device, count)
    SELECT CASE WHEN created_at > ${ago('1 hour')} THEN 'hour' WHEN created_at > ${ago('1 day')} THEN 'day'
        WHEN created_at > ${ago('7 days')} THEN 'week' WHEN created_at > ${ago('30 days')} THEN 'month'
        ELSE 'older' END,
      CASE WHEN split_part(user_device, ' on ', 2) = ANY(${systems.computer}::text[]) THEN 'computer'
        WHEN split_part(user_device, ' on ', 2) = ANY(${systems.mobile}::text[]) THEN 'mobile' ELSE 'other' END,
      round(count(*) * ${timesOf('sessions', measuredBlocks)})
    FROM ${sampleOf('sessions', measuredBlocks)} WHERE status = 'active' AND last_used_at > ${usedSince} GROUP BY 1, 2`.execute(
    db,
  )
}

export interface SessionFigure {
  age: SessionAge
  device: SessionDevice
  count: number
}

export async function findSessionFigures(db: Db): Promise<SessionFigure[]> {
  const { rows } = await sql<SessionFigure>`SELECT age, device, count
    FROM session_figures`.execute(db)
  return rows
}
