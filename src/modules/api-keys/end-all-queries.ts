import { sql } from 'kysely'
import type { Db } from '../../db/tables.ts'
import type { RaisedKey } from './key-queries.ts'

export interface EndedHolderKey extends RaisedKey {
  user_id: string | null
  service_account_id: string | null
}

export async function endNextKeys(
  db: Db,
  { reason, now, limit }: { reason: string; now: Date; limit: number },
): Promise<EndedHolderKey[]> {
  const { rows } = await sql<EndedHolderKey>`UPDATE api_keys SET ended_at = ${now}, end_reason = ${reason}
    WHERE id IN (SELECT id FROM api_keys WHERE ended_at IS NULL ORDER BY id LIMIT ${limit} FOR UPDATE)
    RETURNING id, epoch, user_id, service_account_id`.execute(db)
  return rows.map((row) => ({ ...row, epoch: Number(row.epoch) }))
}
