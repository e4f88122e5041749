import { sql } from 'kysely'
import type { Db, Tables } from '../db/tables.ts'

export const insertRecoveryCodes = (db: Db, rows: Tables['recovery_codes'][]) =>
  db.insertInto('recovery_codes').values(rows).execute()

export const deleteRecoveryCodes = (db: Db, userId: string) =>
  db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()

export async function hasRecoveryCode(db: Db, userId: string, hash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('recovery_codes')
    .select('id')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function markRecoveryCodeUsed(db: Db, userId: string, hash: Buffer, now: Date): Promise<boolean> {
  const row = await db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export interface RecoveryCodeSet {
  id: string
  last_used_at: Date | null
  created_at: Date
  remaining: number
}

/** Undefined if the user has never received recovery codes. */
export async function findRecoveryCodes(db: Db, userId: string): Promise<RecoveryCodeSet | undefined> {
  const { rows } = await sql<RecoveryCodeSet>`
    SELECT min(id::text) AS id, max(used_at) AS last_used_at, min(created_at) AS created_at,
      count(*) FILTER (WHERE used_at IS NULL)::int AS remaining
    FROM recovery_codes WHERE user_id = ${userId} HAVING count(*) > 0`.execute(db)
  return rows[0]
}
