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

/** SQL with the values of its places, not run yet. */
export interface Statement {
  text: string
  values: readonly unknown[]
}

/** Adds one row; `returning` is the SQL of what comes back. */
export const insertion = <Table extends keyof Tables>(
  table: Table,
  row: Insertable<Tables[Table]>,
  returning = '',
): Statement => ({ text: insertText(table, Object.keys(row), returning), values: Object.values(row) })

/**
 * Several changes in one round trip. Only the rows of the first come back. None sees what the others do, and which is
 * done first is not said: they must not touch the same rows.
 */
export async function runTogether<Row>(db: Db, first: Statement, ...others: readonly Statement[]): Promise<Row[]> {
  const all = [first, ...others]
  const text = joinedText(all.map((one) => one.text))
  return runText(
    db,
    text,
    all.flatMap((one) => one.values),
  )
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

const joinedText = textOnce((texts: readonly string[]) => {
  let used = 0
  const [first, ...others] = texts.map((text) => {
    const before = used
    return text.replaceAll(/\$(\d+)/g, (_, place: string) => {
      used = Math.max(used, before + Number(place))
      return `$${before + Number(place)}`
    })
  })
  return others.length === 0
    ? `${first}`
    : `WITH ${others.map((text, index) => `also_${index} AS (${text})`).join(', ')} ${first}`
})

const insertText = textOnce((table: string, columns: readonly string[], returning: string) => {
  const places = columns.map((_, index) => `$${index + 1}`)
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})${returning && ` RETURNING ${returning}`}`
})
