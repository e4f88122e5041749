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

const settings = {
  // The best index depends on the number of matches.
  plan_cache_mode: 'force_custom_plan',
  // Compiling a plan takes a tenth of a second or more, which is due only if the statement's cost is overestimated.
  jit: 'off',
  // A bitmap of text matches that does not fit is rechecked row by row, which takes minutes in a large table.
  work_mem: '64MB',
}

/** Call this first in a transaction that searches a large table. */
export const planForValues = (db: Db) =>
  sql`SELECT ${sql.join(Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`))}`.execute(
    db,
  )
