import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../tables.ts'
import type { TableShape } from './tables.ts'

/**
 * Empties the tables and runs `load` without triggers, indexes, foreign keys or unvalidated check constraints. Triggers
 * would count the rows a second time. Building indexes afterwards is faster. Foreign keys would require a particular
 * row order, and PostgreSQL checks all rows when the keys are recreated. Rows that predate an unvalidated check
 * constraint may violate it.
 */
export async function loadTables(tx: Db, tables: readonly TableShape[], load: () => Promise<void>): Promise<void> {
  const names = tables.map(({ name }) => name)
  const constraints = await findSuspendedConstraints(tx, names)
  const indexes = await findIndexes(tx, names)
  for (const name of names) await run(tx, sql`ALTER TABLE ${sql.table(name)} DISABLE TRIGGER USER`)
  for (const { table, name } of constraints)
    await run(tx, sql`ALTER TABLE ${sql.table(table)} DROP CONSTRAINT ${sql.id(name)}`)
  for (const { name } of indexes) await run(tx, sql`DROP INDEX ${sql.id(name)}`)
  await run(tx, sql`TRUNCATE ${sql.join(names.map((name) => sql.table(name)))}`)
  await load()
  for (const { definition } of indexes) await run(tx, sql.raw(definition))
  for (const { table, name, definition } of constraints)
    await run(tx, sql`ALTER TABLE ${sql.table(table)} ADD CONSTRAINT ${sql.id(name)} ${sql.raw(definition)}`)
  for (const name of names) await run(tx, sql`ALTER TABLE ${sql.table(name)} ENABLE TRIGGER USER`)
  await advanceSequences(tx, names)
  for (const name of names) await run(tx, sql`ANALYZE ${sql.table(name)}`)
}

const run = (tx: Db, statement: RawBuilder<unknown>) => statement.execute(tx)

async function findSuspendedConstraints(tx: Db, names: readonly string[]) {
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    SELECT c.relname AS "table", k.conname AS name, pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE (k.contype = 'f' AND (${oneOf('k.conrelid', names)} OR ${oneOf('k.confrelid', names)}))
      OR (k.contype = 'c' AND NOT k.convalidated AND ${oneOf('k.conrelid', names)})
    ORDER BY k.oid`.execute(tx)
  return rows
}

async function findIndexes(tx: Db, names: readonly string[]) {
  const { rows } = await sql<{ name: string; definition: string }>`
    SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE ${oneOf('i.indrelid', names)} AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)
    ORDER BY i.indexrelid`.execute(tx)
  return rows
}

const oneOf = (column: string, names: readonly string[]) =>
  sql`${sql.raw(column)} IN (SELECT to_regclass(quote_ident(name)) FROM unnest(${[...names]}::text[]) AS name)`

async function advanceSequences(tx: Db, names: readonly string[]): Promise<void> {
  const { rows } = await sql<{ table: string; column: string; sequence: string }>`
    SELECT c.relname AS "table", a.attname AS "column", pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS sequence
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE ${oneOf('c.oid', names)} AND pg_get_serial_sequence(quote_ident(c.relname), a.attname) IS NOT NULL`.execute(
    tx,
  )
  for (const { table, column, sequence } of rows)
    await run(
      tx,
      sql`SELECT setval(${sequence}, (SELECT coalesce(max(${sql.id(column)}), 0) + 1 FROM ${sql.table(table)}), false)`,
    )
}
