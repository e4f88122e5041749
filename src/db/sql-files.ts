import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { sha256 } from '../lib/hash.ts'
import type { Db } from './tables.ts'

/** A shipped SQL file with its checksum. */
export interface SqlFile {
  name: string
  text: string
  checksum: string
}

/** Line endings and outer white space are ignored, so that checkouts on other systems have the same checksum. */
export function readSqlFile(directory: URL, name: string): SqlFile {
  const text = readFileSync(new URL(name, directory), 'utf8').replaceAll('\r\n', '\n').trim()
  return { name, text, checksum: sha256(text) }
}

/** Sorted by number: `001_users.sql`, `002_sessions.sql` … */
export const readNumberedFiles = (directory: URL): SqlFile[] =>
  readdirSync(directory)
    .filter((name) => /^\d{3}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
    .map((name) => readSqlFile(directory, name))

/** In the caller's transaction. */
export async function runSql(db: Db, file: SqlFile): Promise<void> {
  await sql.raw(file.text).execute(db)
}
