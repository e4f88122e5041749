import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

/** Converts the text to a query in which no character acts as an operator. */
export async function findQuery(db: Db, q: string, lang: string | undefined): Promise<string> {
  const { rows } = await sql<{ query: string }>`SELECT post_query(${q}, ${lang ?? null})::text AS query`.execute(db)
  return rows[0]?.query ?? ''
}

/** Checks up to `limit` rows and adds those that are missing from the index. Returns the number of rows checked. */
export async function fillSearch(db: Db, kind: 'post' | 'translation', limit: number): Promise<number> {
  const { rows } = await sql<{ seen: number }>`SELECT ${sql.ref(`fill_${kind}_search`)}(${limit}) AS seen`.execute(db)
  return rows[0]?.seen ?? 0
}
