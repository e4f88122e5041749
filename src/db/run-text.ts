import { CompiledQuery, type Insertable, sql } from 'kysely'
import type { Db, Tables } from './tables.ts'

/** Use this on hot paths because building a statement with Kysely takes as long as sending it. */
export async function runText<Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
}

export const rawQuery =
  (db: Db) =>
  (text: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
    runText(db, text, values)

interface NewRow<Table extends keyof Tables> {
  table: Table
  row: Insertable<Tables[Table]>
}

export const insertRow = <Table extends keyof Tables>(
  db: Db,
  table: Table,
  row: Insertable<Tables[Table]>,
): Promise<unknown[]> => runText(db, insertText(table, Object.keys(row)), Object.values(row))

/** Inserts two rows in one round trip. `returning` applies to the first row. Neither insert sees the other. */
export const insertTogether = <Row, One extends keyof Tables, Other extends keyof Tables>(
  db: Db,
  one: NewRow<One>,
  other: NewRow<Other>,
  returning: string,
): Promise<Row[]> =>
  runText(
    db,
    togetherText(one.table, Object.keys(one.row), other.table, Object.keys(other.row), returning),
    [one.row, other.row].flatMap((row) => Object.values(row)),
  )

/** Caches statement texts because they vary only with the installed modules. */
export function textOnce<Args extends (string | readonly string[])[]>(make: (...args: Args) => string) {
  const texts = new Map<string, string>()
  return (...args: Args): string => {
    const key = args.join(';')
    const text = texts.get(key) ?? make(...args)
    texts.set(key, text)
    return text
  }
}

const insertText = textOnce((table: string, columns: readonly string[]) => inserting(table, columns))

const togetherText = textOnce(
  (table: string, columns: readonly string[], otherTable: string, others: readonly string[], returning: string) =>
    `WITH other AS (${inserting(otherTable, others, columns.length)}) ${inserting(table, columns)} RETURNING ${returning}`,
)

function inserting(table: string, columns: readonly string[], after = 0): string {
  const places = columns.map((_, index) => `$${after + index + 1}`)
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`
}

/**
 * Call this first in a transaction. Uses custom plans because the best index depends on the number of matches. Compiling
 * a plan takes a tenth of a second or more, and PostgreSQL does it because it overestimates what these statements cost.
 */
export const planForValues = (db: Db) =>
  sql`SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true)`.execute(db)
