import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../db/tables.ts'
import type { PageRequest } from '../lib/paging.ts'

export interface EventFilter {
  event: string | undefined
  /** The actor, the target or the impersonator. */
  userId: string | undefined
  actorId: string | undefined
  targetId: string | undefined
  outcome: 'success' | 'failure' | undefined
  from: Date | undefined
  to: Date | undefined
  withSuperadmins: boolean
}

const columns = [
  'id',
  'time',
  'event',
  'outcome',
  'actor_id',
  'actor_role',
  'target_id',
  'impersonator_id',
  'method',
  'ip',
  'user_agent',
  'request_id',
  'details',
] as const

export type EventRow = Pick<Selectable<Tables['audit_events']>, (typeof columns)[number]>

export const insertEvents = (db: Db, rows: Insertable<Tables['audit_events']>[]) =>
  db.insertInto('audit_events').values(rows).execute()

export const findEvents = (db: Db, filter: EventFilter, { limit, offset }: PageRequest): Promise<EventRow[]> =>
  db
    .selectFrom('audit_events')
    .select(columns)
    .where(matches(filter))
    .orderBy('time', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export const findAuditEventsOf = (db: Db, userId: string, limit: number) =>
  db
    .selectFrom('audit_events')
    .select(['time', 'event', 'outcome', 'actor_id', 'actor_role', 'impersonator_id', 'ip', 'user_agent'])
    .where((build) => build.or([build('actor_id', '=', userId), build('target_id', '=', userId)]))
    .orderBy('time', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export interface RejectionRow {
  time: Date
  event: 'return_rejected' | 'handover_rejected'
  request_id: string | null
  details: { reason?: string; parameter?: string; page?: string }
}

/** Rejections that concern this application or, with null, none that is stored. The index has the same condition. */
export const findRejections = (
  db: Db,
  { applicationId, since, limit }: { applicationId: string | null; since: Date; limit: number },
): Promise<RejectionRow[]> =>
  db
    .selectFrom('audit_events')
    .select(['time', 'event', 'request_id', 'details'])
    .where('event', 'in', ['return_rejected', 'handover_rejected'])
    .where(sql`details ->> 'application_id'`, applicationId === null ? 'is' : '=', applicationId)
    .where('time', '>', since)
    .orderBy('time', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .$castTo<RejectionRow>()
    .execute()

export interface BridgeFailure {
  event: 'handover_rejected' | 'bridge_auth_fail' | 'authz_denied'
  details: { reason?: string; right?: string }
}

/**
 * Why back ends' requests for this user or with this application's secrets were rejected, newest first. An unknown secret
 * belongs to no application.
 */
export const findBridgeFailures = (
  db: Db,
  { applicationId, userId, startedAt }: { applicationId: string; userId: string; startedAt: Date },
): Promise<BridgeFailure[]> =>
  db
    .selectFrom('audit_events')
    .select(['event', 'details'])
    .where('time', '>=', startedAt)
    .where(
      sql<boolean>`(event = 'handover_rejected' AND (target_id = ${userId}::uuid
          OR (target_id IS NULL AND details ->> 'application_id' = ${applicationId}))
        OR event = 'bridge_auth_fail' AND coalesce(details ->> 'application', ${applicationId}) = ${applicationId}
        OR event = 'authz_denied' AND details ->> 'application' = ${applicationId} AND details ? 'right')`,
    )
    .orderBy('time', 'desc')
    .orderBy('id', 'desc')
    .limit(20)
    .$castTo<BridgeFailure>()
    .execute()

export async function countEvents(db: Db, filter: EventFilter, max: number): Promise<number> {
  const row = await db
    .selectFrom((from) => from.selectFrom('audit_events').select('id').where(matches(filter)).limit(max).as('matching'))
    .select((build) => build.fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Finds events older than `before`, newest first. `before` is the last event of the previous batch. */
export const findEventsBefore = (
  db: Db,
  filter: EventFilter,
  before: Pick<EventRow, 'time' | 'id'> | undefined,
  limit: number,
): Promise<EventRow[]> =>
  db
    .selectFrom('audit_events')
    .select(columns)
    .where(matches(filter))
    .$if(before !== undefined, (query) =>
      query.where(sql<boolean>`(time, id) < (${before?.time}::timestamptz, ${before?.id}::uuid)`),
    )
    .orderBy('time', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Returns the targets of the newest matching events, along with each target's newest event. */
export async function findNewestTargets(db: Db, filter: EventFilter, limit: number) {
  const { rows } = await sql<{ id: string; time: Date; ip: string | null }>`
    SELECT DISTINCT ON (target_id) target_id AS id, time, ip FROM (
      SELECT target_id, time, ip FROM audit_events WHERE ${matches(filter)} AND target_id IS NOT NULL
      ORDER BY time DESC LIMIT ${limit}) AS newest ORDER BY target_id, time DESC`.execute(db)
  return rows
}

function matches({ event, userId, actorId, targetId, outcome, from, to, withSuperadmins }: EventFilter) {
  const all = [
    event !== undefined && sql<boolean>`event = ${event}`,
    userId !== undefined &&
      sql<boolean>`(actor_id = ${userId}::uuid OR target_id = ${userId}::uuid
      OR impersonator_id = ${userId}::uuid)`,
    actorId !== undefined && sql<boolean>`actor_id = ${actorId}::uuid`,
    targetId !== undefined && sql<boolean>`target_id = ${targetId}::uuid`,
    outcome !== undefined && sql<boolean>`outcome = ${outcome}`,
    from && sql<boolean>`time >= ${from}`,
    to && sql<boolean>`time < ${to}`,
    !withSuperadmins && concernsNoSuperadmin,
  ].filter((one) => typeof one === 'object')
  return all.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(all, sql` AND `)}`
}

// Covers current superadmins and, through `actor_role`, actors who were superadmins at the time of the event.
const superadmins = sql`(SELECT id FROM users WHERE user_type = 'superadmin')`
const concernsNoSuperadmin = sql<boolean>`(actor_role IS DISTINCT FROM 'superadmin' AND impersonator_id IS NULL
  AND (actor_id IS NULL OR actor_id NOT IN ${superadmins}) AND (target_id IS NULL OR target_id NOT IN ${superadmins}))`

/** Returns each user's name, or the email address of users without a name. Erased users are omitted. */
export async function findLabels(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; label: string }>`
    SELECT id, coalesce(nullif(display_name, ''), nullif(trim(concat_ws(' ', name, last_name)), ''), email) AS label
    FROM users WHERE id = ANY(${[...ids]}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, label }) => [id, label]))
}

/** Shortens IPv4 addresses to /24 and IPv6 addresses to /48. Invalid addresses are removed. */
export async function shortenAddresses(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    UPDATE audit_events SET ip = audit_network(ip) WHERE id IN (
      SELECT id FROM audit_events WHERE time < ${before} AND ip IS NOT NULL AND ip NOT LIKE '%/%' ORDER BY time LIMIT ${limit}
      FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

export async function deleteOldEvents(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM audit_events WHERE id IN (
    SELECT id FROM audit_events WHERE time < ${before} ORDER BY time LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
