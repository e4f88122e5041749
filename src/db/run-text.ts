import { CompiledQuery, type Insertable } from 'kysely'
import type { Db, Tables } from './tables.ts'

/**
 * Runs SQL that is ready as text, by name like every other statement. For what runs with every sign-in or request:
 * building a statement anew costs as much as sending it.
 */
export async function runText<Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
}

/** The same for those who hold no Kysely. */
export const rawQuery =
  (db: Db) =>
  (text: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
    runText(db, text, values)

interface NewRow<Table extends keyof Tables> {
  table: Table
  row: Insertable<Tables[Table]>
}

/** Adds one row. */
export const insertRow = <Table extends keyof Tables>(
  db: Db,
  table: Table,
  row: Insertable<Tables[Table]>,
): Promise<unknown[]> => runText(db, insertText(table, Object.keys(row)), Object.values(row))

/** Adds two rows in one round trip; `returning` is the SQL of what comes back of the first. Neither sees the other. */
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

/** The text that a function makes of its arguments, made once: texts of statements differ with installed modules only. */
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

/** The places of its values come after so many of another statement. */
function inserting(table: string, columns: readonly string[], after = 0): string {
  const places = columns.map((_, index) => `$${after + index + 1}`)
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`
}
