import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

/** The count is exact because database triggers maintain it. */
export async function countLivingUsers(db: Db, userType: string | undefined): Promise<number> {
  const { rows } = await sql<{ total: number }>`SELECT coalesce(sum(users), 0) AS total FROM user_counts
    WHERE ${userType === undefined ? sql`true` : sql`user_type = ${userType}`}`.execute(db)
  return Number(rows[0]?.total)
}

/** Merges rows of the same user type. Returns the decrease in the number of rows. Does not block readers or writers. */
export const sumUpUserCounts = (db: Db, limit: number): Promise<number> =>
  db.transaction().execute(async (tx) => {
    // Allows only one run at a time to prevent deadlocks.
    await sql`LOCK TABLE user_counts IN SHARE UPDATE EXCLUSIVE MODE`.execute(tx)
    // Uses a range of `ctid`s. With a list, the planner would compare every row with every item.
    const { rows } = await sql<{ fewer: number }>`WITH surplus AS (
        SELECT user_type FROM user_counts GROUP BY user_type HAVING count(*) > 1 OR sum(users) = 0
      ), taken AS (
        DELETE FROM user_counts WHERE user_type = ANY (ARRAY (SELECT user_type FROM surplus)) AND ctid < coalesce((
          SELECT ctid FROM user_counts WHERE user_type = ANY (ARRAY (SELECT user_type FROM surplus))
          ORDER BY ctid LIMIT 1 OFFSET ${limit}
        ), '(4294967295,0)') RETURNING user_type, users
      ), summed AS (
        INSERT INTO user_counts (user_type, users)
        SELECT user_type, sum(users) FROM taken GROUP BY user_type HAVING sum(users) <> 0 RETURNING user_type
      )
      SELECT ((SELECT count(*) FROM taken) - (SELECT count(*) FROM summed))::integer AS fewer`.execute(tx)
    return rows[0]?.fewer ?? 0
  })
