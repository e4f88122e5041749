import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

/**
 * Codes that no application has redeemed yet are worth a session each: whoever ends sessions ends them too. They count as
 * used, with no session that came from them. The users are held by then, as by whoever redeems a code.
 */
export async function withdrawCodesOfUsers(db: Db, userIds: readonly string[], now: Date): Promise<void> {
  await sql`UPDATE handover_codes SET used_at = ${now} WHERE used_at IS NULL
    AND session_id IN (SELECT id FROM sessions WHERE user_id = ANY(${userIds}::uuid[]))`.execute(db)
}

/** The same for one application: the codes that would give it another session below the same browser session. */
export async function withdrawCodesLike(db: Db, sessionId: string, now: Date): Promise<void> {
  // An application is an origin, which a slash ends in an address, or a scheme with its colon.
  await sql`UPDATE handover_codes c SET used_at = ${now} FROM sessions s
    WHERE s.id = ${sessionId} AND c.session_id = s.parent_id AND c.used_at IS NULL
      AND starts_with(c.return_to, CASE WHEN s.application LIKE '%:' THEN s.application ELSE s.application || '/' END)
    `.execute(db)
}
