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

/** Adds one row; `returning` is the SQL of what comes back. */
export async function insertRow<Table extends keyof Tables, Row = unknown>(
  db: Db,
  table: Table,
  row: Insertable<Tables[Table]>,
  returning = '',
): Promise<Row[]> {
  return runText(db, insertText(table, Object.keys(row), returning), Object.values(row))
}

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

const insertText = textOnce((table: string, columns: readonly string[], returning: string) => {
  const places = columns.map((_, index) => `$${index + 1}`)
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})${returning && ` RETURNING ${returning}`}`
})
