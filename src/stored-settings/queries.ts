import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

export interface StoredRow {
  name: string
  /** Null if the setting was reset. */
  value: string | null
  version: number
  changed_by: string | null
  changed_at: Date
}

export async function findStored(db: Db): Promise<StoredRow[]> {
  const rows = await db
    .selectFrom('stored_settings')
    .select(['name', 'value', 'version', 'changed_by', 'changed_at'])
    .orderBy('name')
    .execute()
  return rows.map((row) => ({ ...row, version: Number(row.version) }))
}

/** Nodes poll only the version because values may be large. */
export async function findStoredVersion(db: Db): Promise<number> {
  const { version } = await db
    .selectFrom('stored_settings')
    .select(sql<string>`coalesce(max(version), 0)`.as('version'))
    .executeTakeFirstOrThrow()
  return Number(version)
}

export const versionOf = (rows: readonly StoredRow[]): number => Math.max(0, ...rows.map(({ version }) => version))

export const writeStored = (db: Db, row: StoredRow) =>
  db
    .insertInto('stored_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
