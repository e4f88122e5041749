import { CompiledQuery } from 'kysely'
import type { CachedSession, ReadView, SessionRow, UserRow } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { sha256 } from '../lib/hash.ts'
import { type GrantRow, grantColumns, readGrants } from '../users/grant-queries.ts'
import { isAcceptedByApplication, ownersOf, sessionColumns } from './columns.ts'

type Found = SessionRow &
  GrantRow & { key: string; written: string; application_epoch: number | null } & Record<string, unknown>

/**
 * The ids of the transactions that last wrote the session row and the user row, and the epoch of the application. Any
 * write that concerns the session changes this text. A change of the user's grants raises the epoch in the user row.
 */
const written = "concat(s.xmin, '.', u.xmin, '.', a.epoch)"

/** The session with its user and its application. Without an application, no row of applications is looked up. */
const joined = `sessions s JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL
    LEFT JOIN applications a ON a.id = s.application_id`

/**
 * The row of a session whose application has been disabled or deleted may still say that it is active. Whether the
 * application is enabled is not compared: a trigger raises `sessions_from_epoch` when that changes, and a session takes its
 * epoch from an enabled application.
 */
const isOfLiveApplication = `(s.application_id IS NULL OR ${isAcceptedByApplication})`

/** This statement runs most often, so it is a named statement whose text is built once per set of columns. */
export function sessionLookup(userColumns: readonly string[]) {
  const session = sessionColumns.map((column) => `s.${column} AS "s.${column}"`)
  const user = userColumns.map((column) => `u."${column.replaceAll('"', '')}"`)
  const text = `SELECT encode(s.token_hash, 'hex') AS key, ${written} AS written, a.epoch AS application_epoch,
      ${grantColumns},
      ${[...session, ...user].join(', ')}
    FROM ${joined} WHERE s.token_hash = ANY($1::bytea[]) AND ${isOfLiveApplication}`
  const layout = layoutOf(userColumns)
  return async (db: Db, keys: readonly string[], now: number): Promise<Map<string, ReadView>> => {
    const hashes = keys.map((key) => Buffer.from(key, 'hex'))
    const { rows } = await db.executeQuery<Found>(CompiledQuery.raw(text, [hashes]))
    return new Map(rows.map((row) => [row.key, toView(row, userColumns, layout, now)]))
  }
}

function toView(row: Found, userColumns: readonly string[], layout: string, now: number): ReadView {
  const session: Record<string, unknown> = {}
  const user: Record<string, unknown> = {}
  for (const column of sessionColumns) session[column] = row[`s.${column}`]
  for (const column of userColumns) user[column] = row[column]
  const application = { id: session.application_id as string | null, epoch: row.application_epoch }
  return {
    session: session as ReadView['session'],
    user: user as UserRow,
    owners: ownersOf(user as UserRow, application),
    grants: readGrants(row, now),
    version: `${layout}.${row.written}`,
    read_at: now,
  }
}

/** Returns the version after a write to only the session row. Undefined if the cached session was already outdated. */
export function versionAfterWrite({ version }: ReadView, before: string, after: string): string | undefined {
  const [layout, session, ...others] = version.split('.')
  return session === before ? [layout, after, ...others].join('.') : undefined
}

/** Identifies a set of columns. A cached session without the columns of an installed module is outdated. */
const layoutOf = (userColumns: readonly string[]): string => sha256(userColumns.join()).slice(0, 8)

const writtenSince = `SELECT left(entry, 64) AS key
  FROM unnest(string_to_array(convert_from($1, 'SQL_ASCII'), ',')) AS entry
  LEFT JOIN sessions s ON s.token_hash = decode(left(entry, 64), 'hex')
  LEFT JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL
  LEFT JOIN applications a ON a.id = s.application_id
  WHERE $2 || '.' || ${written} IS DISTINCT FROM substr(entry, 65)`

/**
 * This statement usually returns no rows, so it is cheaper than reading the sessions. The keys are sent in a buffer
 * because strings are more expensive to garbage-collect.
 */
export function writtenSinceRead(userColumns: readonly string[]) {
  const layout = layoutOf(userColumns)
  return async (db: Db, cached: readonly CachedSession[]): Promise<Set<string>> => {
    const keys = Buffer.from(cached.map(({ key, view }) => key + view.version).join(), 'latin1')
    const { rows } = await db.executeQuery<{ key: string }>(CompiledQuery.raw(writtenSince, [keys, layout]))
    return new Set(rows.map(({ key }) => key))
  }
}
