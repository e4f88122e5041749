import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { sha256 } from '../lib/hash.ts'
import type { Db } from './tables.ts'

/** One SQL file as it was shipped, with the checksum that tells whether it is still the same. */
export interface SqlFile {
  name: string
  text: string
  checksum: string
}

/** Line ends and outer white space do not count: a checkout on another system is the same file. */
export function readSqlFile(directory: URL, name: string): SqlFile {
  const text = readFileSync(new URL(name, directory), 'utf8').replaceAll('\r\n', '\n').trim()
  return { name, text, checksum: sha256(text) }
}

/** The numbered files of a directory in order: `001_users.sql`, `002_sessions.sql` … */
export const readNumberedFiles = (directory: URL): SqlFile[] =>
  readdirSync(directory)
    .filter((name) => /^\d{3}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
    .map((name) => readSqlFile(directory, name))

/** Runs one shipped file in the caller's transaction. */
export async function runSql(db: Db, file: SqlFile): Promise<void> {
  await sql.raw(file.text).execute(db)
}
