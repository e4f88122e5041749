import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { sha256 } from '../lib/hash.ts'
import type { Db } from './tables.ts'

export interface SqlFile {
  name: string
  text: string
  checksum: string
}

/** Line endings and surrounding whitespace are ignored so that the checksum is the same in all checkouts. */
export function readSqlFile(directory: URL, name: string): SqlFile {
  const text = readFileSync(new URL(name, directory), 'utf8').replaceAll('\r\n', '\n').trim()
  return { name, text, checksum: sha256(text) }
}

export const readNumberedFiles = (directory: URL): SqlFile[] =>
  readdirSync(directory)
    .filter((name) => /^\d{3}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
    .map((name) => readSqlFile(directory, name))

export async function runSql(db: Db, file: SqlFile): Promise<void> {
  await sql.raw(file.text).execute(db)
}
