import type { Db } from './tables.ts'

/** Returns false if the fact is already recorded. */
export async function stateFact(db: Db, fact: string, now: Date): Promise<boolean> {
  const row = await db
    .insertInto('installation_facts')
    .values({ fact, since: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('fact')
    .executeTakeFirst()
  return row !== undefined
}

export const factIsStated = async (db: Db, fact: string): Promise<boolean> =>
  (await db.selectFrom('installation_facts').select('fact').where('fact', '=', fact).executeTakeFirst()) !== undefined
