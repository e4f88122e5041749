import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

/** PostgreSQL takes the text apart, so that no character of it has a meaning. */
export async function findQuery(db: Db, q: string, lang: string | undefined): Promise<string> {
  const { rows } = await sql<{ query: string }>`SELECT post_query(${q}, ${lang ?? null})::text AS query`.execute(db)
  return rows[0]?.query ?? ''
}

/** Looks at so many at most that may have no words yet; gives how many it has looked at. */
export async function fillSearch(db: Db, kind: 'post' | 'translation', limit: number): Promise<number> {
  const { rows } = await sql<{ seen: number }>`SELECT ${sql.ref(`fill_${kind}_search`)}(${limit}) AS seen`.execute(db)
  return rows[0]?.seen ?? 0
}
