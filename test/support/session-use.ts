import { sql } from 'kysely'
import { eventually } from './eventually.ts'
import type { TestApp } from './test-app.ts'

/**
 * Waits until the database has recorded the use of this user's session at the current time. The service writes uses
 * once per second of real time.
 */
export async function useIsWritten(app: TestApp, userId: string): Promise<void> {
  const now = new Date(app.clock.now())
  await eventually(async () => {
    const { rows } = await sql`SELECT 1 FROM sessions WHERE user_id = ${userId} AND last_used_at = ${now}`.execute(
      app.ctx.db,
    )
    return rows.length > 0
  })
}
