import { sql } from 'kysely'
import { measuredBlocks, sampleOf, timesOf } from '../db/sample.ts'
import type { Db } from '../db/tables.ts'
import { isBlocked } from '../users/block-queries.ts'

export const activityFigures = ['new_people', 'sign_ins', 'failures'] as const

export type ActivityFigure = (typeof activityFigures)[number]

/** Maps audit events to figures. Failed registrations are not counted. */
const figureOf = sql`CASE WHEN event IN ('register', 'admin_user_created', 'first_admin_created') THEN 'new_people'
  WHEN event = 'login_success' THEN 'sign_ins' ELSE 'failures' END`
const isCounted = sql<boolean>`(event IN ('admin_user_created', 'first_admin_created', 'login_success', 'login_fail')
  OR (event = 'register' AND outcome = 'success'))`

export interface ActivityState {
  final_until: Date
  counted_at: Date
  measured_at: Date | null
  live_sessions: number | null
  second_factor_users: number | null
}

export async function findActivityState(db: Db): Promise<ActivityState | undefined> {
  const { rows } = await sql<ActivityState>`SELECT final_until, counted_at, measured_at,
    live_sessions, second_factor_users
    FROM activity_state`.execute(db)
  return rows[0]
}

export async function findOldestEvent(db: Db, since: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ time: Date | null }>`SELECT min(time) AS time FROM audit_events
    WHERE time >= ${since}`.execute(db)
  return rows[0]?.time ?? undefined
}

/** Both times are on the hour. */
export async function recountHours(db: Db, from: Date, to: Date): Promise<void> {
  await sql`DELETE FROM activity_counts WHERE unit = 'hour' AND start >= ${from} AND start < ${to}`.execute(db)
  await sql`INSERT INTO activity_counts (unit, start, figure, count)
    SELECT 'hour', date_trunc('hour', time, 'UTC'), ${figureOf}, count(*) FROM audit_events
    WHERE time >= ${from} AND time < ${to} AND ${isCounted} GROUP BY 2, 3`.execute(db)
}

/** Derives each day's counts from its hourly counts. Both times are midnight UTC. */
export async function recountDays(db: Db, from: Date, to: Date): Promise<void> {
  await sql`DELETE FROM activity_counts WHERE unit = 'day' AND start >= ${from} AND start < ${to}`.execute(db)
  await sql`INSERT INTO activity_counts (unit, start, figure, count)
    SELECT 'day', date_trunc('day', start, 'UTC'), figure, sum(count) FROM activity_counts
    WHERE unit = 'hour' AND start >= ${from} AND start < ${to} GROUP BY 2, 3`.execute(db)
}

export async function deleteOldCounts(db: Db, unit: 'hour' | 'day', before: Date): Promise<void> {
  await sql`DELETE FROM activity_counts WHERE unit = ${unit} AND start < ${before}`.execute(db)
}

export async function noteCounted(db: Db, finalUntil: Date, countedAt: Date): Promise<void> {
  await sql`INSERT INTO activity_state (final_until, counted_at) VALUES (${finalUntil}, ${countedAt})
    ON CONFLICT (one) DO UPDATE SET final_until = excluded.final_until, counted_at = excluded.counted_at`.execute(db)
}

/** Call after `recountSessions`. In a large table, the number of users with a second factor is estimated. */
export async function noteMeasured(db: Db, now: Date): Promise<void> {
  await sql`UPDATE activity_state SET measured_at = ${now},
    live_sessions = (SELECT coalesce(sum(count), 0) FROM session_figures),
    second_factor_users = (SELECT round(count(*) * ${timesOf('users', measuredBlocks)})
      FROM ${sampleOf('users', measuredBlocks)} WHERE two_factor AND deleted_at IS NULL)`.execute(db)
}

export interface ActivityCount {
  start: Date
  figure: ActivityFigure
  count: number
}

export async function findActivity(db: Db, unit: 'hour' | 'day' | 'month', since: Date): Promise<ActivityCount[]> {
  const start = unit === 'month' ? sql`date_trunc('month', start, 'UTC')` : sql`start`
  const { rows } = await sql<ActivityCount>`SELECT ${start} AS start, figure, sum(count)::bigint AS count
    FROM activity_counts WHERE unit = ${unit === 'hour' ? 'hour' : 'day'} AND start >= ${since}
    GROUP BY 1, 2`.execute(db)
  return rows
}

export interface Waiting {
  waiting_messages: number
  oldest_waiting: Date | null
  failed_messages: number
  pending_deletions: number
}

/** Counting stops at `max` to bound the request time. */
export async function findWaiting(db: Db, max: number): Promise<Waiting> {
  const atMost = (rows: ReturnType<typeof sql>) =>
    sql`(SELECT count(*)::integer FROM (${rows} LIMIT ${max}) AS counted)`
  const { rows } = await sql<Waiting>`SELECT
    ${atMost(sql`SELECT FROM outbox WHERE status IN ('pending', 'queued')`)} AS waiting_messages,
    (SELECT min(created_at) FROM outbox WHERE status IN ('pending', 'queued')) AS oldest_waiting,
    ${atMost(sql`SELECT FROM outbox WHERE status = 'failed'`)} AS failed_messages,
    ${atMost(sql`SELECT FROM users WHERE deleted_at IS NOT NULL`)} AS pending_deletions`.execute(db)
  return rows[0] ?? { waiting_messages: 0, oldest_waiting: null, failed_messages: 0, pending_deletions: 0 }
}

/**
 * Counts superadmins who can sign in, and stops at two. Blocked superadmins are not counted. With `mustBeVerified`, a
 * password is not enough: the email address must be verified.
 */
export async function countUsableSuperadmins(db: Db, now: Date, { mustBeVerified }: { mustBeVerified: boolean }) {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM (SELECT FROM users
    WHERE user_type = 'superadmin' AND deleted_at IS NULL
      AND (is_verified OR (password_hash IS NOT NULL AND NOT ${mustBeVerified}))
      AND NOT ${isBlocked(now)}
    LIMIT 2) AS usable`.execute(db)
  return rows[0]?.count ?? 0
}
