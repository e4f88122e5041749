import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Db, Tables } from '../../db/tables.ts'

/** A role of an application that is not deleted. */
export interface GrantableRole {
  id: string
  key: string
  application: string
  /** Whether it lists a permission that patterns do not cover. */
  sensitive: boolean
}

type NamedRole = Readonly<{ application: string; role: string }>

/** Until the end of the transaction, the roles can be neither changed nor deleted. */
export const holdGrantable = (db: Db, named: readonly NamedRole[]) => selectGrantable(db, named, sql`FOR SHARE OF r`)

export const findGrantable = (db: Db, named: readonly NamedRole[]) => selectGrantable(db, named, sql``)

async function selectGrantable(
  db: Db,
  named: readonly NamedRole[],
  lock: RawBuilder<unknown>,
): Promise<GrantableRole[]> {
  if (named.length === 0) return []
  const { rows } = await sql<GrantableRole>`SELECT r.id, r.key, a.key AS application, ${isSensitive} AS sensitive
    FROM roles r JOIN applications a ON a.id = r.application_id AND a.deleted_at IS NULL
    WHERE (a.key, r.key) IN (SELECT * FROM unnest(${named.map(({ application }) => application)}::text[],
      ${named.map(({ role }) => role)}::text[]))
    ORDER BY r.id ${lock}`.execute(db)
  return rows
}

/** Also if the permission is retired, because it may be declared again. */
const isSensitive = sql`EXISTS (SELECT FROM permissions p
  WHERE p.application_id = r.application_id AND p.sensitive AND p.key = ANY (r.permissions))`

export interface HeldGrant extends GrantableRole {
  until: Date | null
}

/** Without the roles of deleted applications, which may be restored. */
export async function findHeld(db: Db, userId: string): Promise<HeldGrant[]> {
  const { rows } = await sql<HeldGrant>`SELECT r.id, r.key, a.key AS application, ${isSensitive} AS sensitive, g.until
    FROM user_roles g JOIN roles r ON r.id = g.role_id JOIN applications a ON a.id = r.application_id AND a.deleted_at IS NULL
    WHERE g.user_id = ${userId} ORDER BY a.key, r.key`.execute(db)
  return rows
}

export const insertGrants = (db: Db, rows: readonly Insertable<Tables['user_roles']>[]) =>
  db
    .insertInto('user_roles')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'role_id']).doUpdateSet(({ ref }) => ({
        granted_at: ref('excluded.granted_at'),
        granted_by: ref('excluded.granted_by'),
        until: ref('excluded.until'),
      })),
    )
    .execute()

export const deleteGrants = (db: Db, userId: string, roleIds: readonly string[]) =>
  db.deleteFrom('user_roles').where('user_id', '=', userId).where('role_id', 'in', roleIds).execute()

/** Ended grants have no effect. */
export async function deleteEndedGrants(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM user_roles WHERE (user_id, role_id) IN (SELECT user_id, role_id FROM user_roles
    WHERE until < ${before} ORDER BY until LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

/** Grants of deleted roles have no effect. */
export async function deleteOrphanedGrants(db: Db, limit: number): Promise<number> {
  const result = await sql`DELETE FROM user_roles WHERE (user_id, role_id) IN (SELECT user_id, role_id FROM user_roles g
    WHERE NOT EXISTS (SELECT FROM roles WHERE id = g.role_id)
    ORDER BY role_id LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
