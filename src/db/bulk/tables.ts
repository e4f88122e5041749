import { sql } from 'kysely'
import type { Db } from '../tables.ts'

export interface TableShape {
  name: string
  columns: readonly { name: string; type: string }[]
}

export async function describeTables(db: Db, names: readonly string[]): Promise<TableShape[]> {
  const { rows } = await sql<TableShape>`
    SELECT t.name, json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
      ORDER BY a.attnum) AS columns
    FROM unnest(${[...names]}::text[]) WITH ORDINALITY AS t(name, position)
    JOIN pg_class c ON c.oid = to_regclass(quote_ident(t.name)) AND c.relkind IN ('r', 'p')
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    GROUP BY t.name, t.position ORDER BY t.position`.execute(db)
  return rows
}

/** Makes the text form of values independent of server and role settings. */
export async function useFixedTexts(tx: Db): Promise<void> {
  const fixed = {
    DateStyle: 'ISO, YMD',
    IntervalStyle: 'postgres',
    TimeZone: 'UTC',
    bytea_output: 'hex',
    extra_float_digits: '1',
    xmlbinary: 'base64',
    // Makes queries fail instead of omitting rows that are hidden from the role.
    row_security: 'off',
    // Some servers set these timeouts for all roles.
    statement_timeout: '0',
    lock_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    // Available since PostgreSQL 17.
    transaction_timeout: '0',
  }
  for (const [name, value] of Object.entries(fixed))
    await sql`SELECT set_config(name, ${value}, true) FROM pg_settings WHERE name = ${name}`.execute(tx)
}

const batchBytes = 1024 * 1024
const smallRows = 100
/** The number of rows per FETCH if rows may be large. A single row can be many megabytes. */
const largeRows = 8

/** Yields batches of about 1 MB. Each row is a JSON array of strings and nulls. The text form preserves every value. */
export async function* readRows(tx: Db, { name, columns }: TableShape): AsyncGenerator<string[]> {
  const texts = sql.join(columns.map((column) => sql`${sql.id(column.name)}::text`))
  await sql`DECLARE rows_of_table NO SCROLL CURSOR FOR
    SELECT to_json(ARRAY[${texts}]::text[])::text AS line FROM ${sql.table(name)}`.execute(tx)
  const limit = (await hasLargeValues(tx, name)) ? largeRows : smallRows
  let batch: string[] = []
  let bytes = 0
  for (;;) {
    const { rows } = await sql<{ line: string }>`FETCH ${sql.lit(limit)} FROM rows_of_table`.execute(tx)
    if (rows.length === 0) break
    for (const { line } of rows) {
      if (batch.length > 0 && bytes + line.length > batchBytes) {
        yield batch
        batch = []
        bytes = 0
      }
      batch.push(line)
      bytes += line.length
    }
  }
  if (batch.length > 0) yield batch
  await sql`CLOSE rows_of_table`.execute(tx)
}

/** PostgreSQL stores large values in a separate TOAST table. */
async function hasLargeValues(tx: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{
    found: boolean
  }>`SELECT reltoastrelid <> 0 AND pg_relation_size(reltoastrelid) > 0 AS found
    FROM pg_class WHERE oid = to_regclass(quote_ident(${name}))`.execute(tx)
  return rows[0]?.found !== false
}

/** In UTF-16 code units. Each code unit takes at most three bytes in the database. */
const maxJsonbLength = 64 * 1024 * 1024

/** Writes rows in the form that `readRows` returns. `columns` must be in the same order as the values. */
export async function writeRows(tx: Db, { name, columns }: TableShape, lines: readonly string[]): Promise<number> {
  if (lines.length === 0) return 0
  const names = sql.join(columns.map((column) => sql.id(column.name)))
  const values = sql.join(columns.map(({ type }, index) => sql`(line ->> ${sql.lit(index)})::${sql.raw(type)}`))
  const text = `[${lines.join(',')}]`
  // With json, each `->>` would parse the whole row again, but PostgreSQL limits a jsonb value to 256 MB.
  const json = sql.raw(text.length < maxJsonbLength ? 'jsonb' : 'json')
  const { numAffectedRows } = await sql`INSERT INTO ${sql.table(name)} (${names}) OVERRIDING SYSTEM VALUE
    SELECT ${values} FROM ${json}_array_elements(${text}::${json}) AS line`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export interface TableSum {
  rows: number
  /** Tables with the same rows have the same checksum, on any server and in any row order. */
  sum: string
}

export async function sumRows(tx: Db, { name, columns }: TableShape): Promise<TableSum> {
  const texts = sql.join(columns.map((column) => sql`${sql.id(column.name)}::text`))
  const { rows } = await sql<{ rows: string; sum: string }>`
    SELECT count(*)::text AS rows, coalesce(sum(('x' || left(md5(line), 15))::bit(60)::bigint), 0)::text AS sum
    FROM (SELECT to_json(ARRAY[${texts}]::text[])::text AS line FROM ${sql.table(name)}) AS lines`.execute(tx)
  return { rows: Number(rows[0]?.rows), sum: rows[0]?.sum ?? '' }
}
