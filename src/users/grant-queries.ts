import { sql } from 'kysely'
import type { RoleGrants } from '../context.ts'
import type { Db } from '../db/tables.ts'

/** The columns with the roles of the user `u`. They belong in the statement that reads the user. */
export const grantColumns = `(SELECT version::float8 FROM role_version) AS "r.version",
      (SELECT json_agg(json_build_object('id', role_id, 'until', extract(epoch FROM until) * 1000) ORDER BY role_id)
        FROM user_roles WHERE user_id = u.id) AS "r.grants"`

export interface GrantRow {
  'r.version': number | null
  'r.grants': { id: string; until: number | null }[] | null
}

const none: readonly string[] = []

/** `now` is in milliseconds. */
export function readGrants({ 'r.version': version, 'r.grants': rows }: GrantRow, now: number): RoleGrants {
  if (!rows) return { version: version ?? 0, ids: none, until: null }
  const live = rows.filter(({ until }) => until === null || until > now)
  const ends = live.flatMap(({ until }) => until ?? [])
  return { version: version ?? 0, ids: live.map(({ id }) => id), until: ends.length > 0 ? Math.min(...ends) : null }
}

export async function findGrants(db: Db, userId: string, now: number): Promise<RoleGrants> {
  const { rows } = await sql<GrantRow>`SELECT ${sql.raw(grantColumns)} FROM users u WHERE u.id = ${userId}`.execute(db)
  return readGrants(rows[0] ?? { 'r.version': null, 'r.grants': null }, now)
}
