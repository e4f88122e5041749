import { sql } from 'kysely'
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

const fact = 'installation_id'

/** Distinguishes installations that share services such as Redis. A restored backup has the same id. */
export async function installationId(db: Db): Promise<string> {
  const find = () => db.selectFrom('installation_facts').select('value').where('fact', '=', fact).executeTakeFirst()
  const known = await find()
  if (known?.value) return known.value
  await db
    .insertInto('installation_facts')
    .values({ fact, since: sql<Date>`now()`, value: sql<string>`gen_random_uuid()` })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const made = await find()
  if (!made?.value) throw new Error('The database has lost the id of this installation.')
  return made.value
}
