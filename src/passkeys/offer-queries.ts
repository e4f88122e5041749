import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

/** Returns false if the user has a passkey, or was offered one after `lastBefore`. */
export async function noteOffer(
  db: Db,
  userId: string,
  { now, lastBefore }: { now: Date; lastBefore: Date },
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO passkey_offers (user_id, offered_at)
    SELECT id, ${now}::timestamptz FROM users
    WHERE id = ${userId} AND NOT EXISTS (SELECT FROM passkeys WHERE user_id = users.id)
    ON CONFLICT (user_id) DO UPDATE SET offered_at = excluded.offered_at
      WHERE passkey_offers.offered_at <= ${lastBefore}
    RETURNING user_id`.execute(db)
  return rows.length > 0
}

export async function findOfferTime(db: Db, userId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('passkey_offers')
    .select('offered_at')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.offered_at
}
