import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'
import { isBlocked } from './block-queries.ts'

/** Superadmins who are neither deleted nor blocked. */
export async function findLivingSuperadmins(db: Db, now: Date) {
  const { rows } = await sql<{ email: string; lang: string | null; name: string; is_verified: boolean }>`
    SELECT email, lang, name, is_verified FROM users WHERE user_type = 'superadmin' AND deleted_at IS NULL
      AND NOT ${isBlocked(now)}`.execute(db)
  return rows
}
