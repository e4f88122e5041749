import { describeTables, type TableShape } from '../db/bulk/tables.ts'
import type { Db } from '../db/tables.ts'
import type { TableHeader } from './format.ts'
import { addColumn, isTypeHere } from './queries.ts'

export interface AddedColumn {
  table: string
  column: string
  type: string
}

/**
 * Adds the columns that this version does not create, such as those added by operators or by earlier module versions.
 * If this database lacks a column's type, the column becomes `text` so that its data is kept.
 */
export async function addMissingColumns(tx: Db, tables: readonly TableHeader[]): Promise<AddedColumn[]> {
  const present = await presentTables(tx, tables)
  const added: AddedColumn[] = []
  for (const { name: table, columns } of tables) {
    const names = present.get(table)?.columns.map((column) => column.name)
    if (!names) throw new Error(`This version has no table "${table}". Nothing was changed.`)
    for (const { name: column, type: original } of columns) {
      if (names.includes(column)) continue
      const type = (await isTypeHere(tx, original)) ? original : 'text'
      await addColumn(tx, { table, column, type })
      added.push({ table, column, type })
    }
  }
  return added
}

/** The columns and their order come from the copy. The types come from this database. */
export async function tablesLike(tx: Db, tables: readonly TableHeader[]): Promise<TableShape[]> {
  const present = await presentTables(tx, tables)
  return tables.map(({ name, columns }) => ({
    name,
    columns: columns.flatMap((column) => present.get(name)?.columns.find((one) => one.name === column.name) ?? []),
  }))
}

async function presentTables(tx: Db, tables: readonly TableHeader[]): Promise<Map<string, TableShape>> {
  const names = tables.map(({ name }) => name)
  return new Map((await describeTables(tx, names)).map((table) => [table.name, table]))
}
