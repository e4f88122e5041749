import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

/** An unused code could create a session, so ending sessions invalidates codes too. The caller has locked the users. */
export async function invalidateCodesOfUsers(db: Db, userIds: readonly string[], now: Date): Promise<void> {
  await sql`UPDATE handover_codes SET used_at = ${now} WHERE used_at IS NULL
    AND session_id IN (SELECT id FROM sessions WHERE user_id = ANY(${userIds}::uuid[]))`.execute(db)
}

/** Invalidates the codes of one application under the same browser session. */
export async function invalidateCodesOfApplication(db: Db, sessionId: string, now: Date): Promise<void> {
  // An application is either an origin, followed by a slash in an address, or a scheme that ends with a colon.
  await sql`UPDATE handover_codes c SET used_at = ${now} FROM sessions s
    WHERE s.id = ${sessionId} AND c.session_id = s.parent_id AND c.used_at IS NULL
      AND starts_with(c.return_to, CASE WHEN s.application LIKE '%:' THEN s.application ELSE s.application || '/' END)
    `.execute(db)
}
