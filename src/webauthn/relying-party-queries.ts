import { sql } from 'kysely'
import { tableExists } from '../db/installation-marks.ts'
import type { Db } from '../db/tables.ts'

/** `doctor` also examines databases that have no tables yet. */
export async function countAllPasskeys(db: Db): Promise<number> {
  if (!(await tableExists(db, 'passkeys'))) return 0
  const { rows } = await sql<{ count: number }>`SELECT count(*)::integer AS count FROM passkeys`.execute(db)
  return rows[0]?.count ?? 0
}
