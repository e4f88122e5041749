import { sql } from 'kysely'
import type { Db } from '../../db/tables.ts'
import { heldElsewhere } from '../../hooks/password-verify.ts'

/** Uses the index of imported hashes, which is empty once all of them have been replaced. */
export async function sampleImportedHashes(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ password_hash: string }>`SELECT password_hash FROM users
    WHERE password_hash LIKE 'imported:%' AND password_hash <> ${heldElsewhere} ORDER BY id DESC LIMIT ${limit}`.execute(
    db,
  )
  return rows.map(({ password_hash }) => password_hash)
}
