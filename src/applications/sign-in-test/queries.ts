import type { Db } from '../../db/tables.ts'

interface NewTest {
  user_id: string
  application_id: string
  started_at: Date
}

/** Returns false if a test of the application is in progress. */
export async function insertTest(db: Db, test: NewTest): Promise<boolean> {
  const inserted = await db
    .insertInto('application_tests')
    .values(test)
    .onConflict((conflict) => conflict.column('application_id').doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return inserted !== undefined
}

export const findTestUsers = async (db: Db, startedBefore: Date, limit: number): Promise<string[]> =>
  (
    await db
      .selectFrom('application_tests')
      .select('user_id')
      .where('started_at', '<', startedBefore)
      .limit(limit)
      .execute()
  ).map(({ user_id }) => user_id)
