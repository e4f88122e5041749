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

/** Returns undefined if the fact is not recorded or has no value. */
export const findFact = async (db: Db, fact: string): Promise<string | undefined> =>
  (await db.selectFrom('installation_facts').select('value').where('fact', '=', fact).executeTakeFirst())?.value ??
  undefined

interface Fact {
  fact: string
  value: string
  now: Date
}

/** Replaces the fact's former value. */
export const recordFact = (db: Db, { fact, value, now }: Fact) =>
  db
    .insertInto('installation_facts')
    .values({ fact, since: now, value })
    .onConflict((conflict) => conflict.column('fact').doUpdateSet({ value, since: now }))
    .execute()

const fact = 'installation_id'

/** Distinguishes installations that share services such as Redis. A restored backup has the same id. */
export async function installationId(db: Db): Promise<string> {
  const known = await findFact(db, fact)
  if (known) return known
  await db
    .insertInto('installation_facts')
    .values({ fact, since: sql<Date>`now()`, value: sql<string>`gen_random_uuid()` })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const made = await findFact(db, fact)
  if (!made) throw new Error('The database has lost the id of this installation.')
  return made
}
