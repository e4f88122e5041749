import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

/** Shortens addresses to their network: /24 for IPv4, /48 for IPv6. What is no address is dropped. */
export async function shortenAddresses(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    UPDATE audit_events SET ip = CASE
      WHEN ip ~ '^[0-9.]+$' THEN network(set_masklen(ip::inet, 24))::text
      WHEN ip ~ '^[0-9a-f:]+$' THEN network(set_masklen(ip::inet, 48))::text
      END
    WHERE id IN (
      SELECT id FROM audit_events WHERE time < ${before} AND ip IS NOT NULL AND ip NOT LIKE '%/%' LIMIT ${limit})`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0n)
}

export async function deleteOldEvents(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM audit_events WHERE id IN (
    SELECT id FROM audit_events WHERE time < ${before} LIMIT ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
