import { sql } from 'kysely'
import { minute } from '../lib/time.ts'
import { tryLock } from './advisory-locks.ts'
import { readNumberedFiles, runSql, type SqlFile } from './sql-files.ts'
import { objectsOf, type SqlObject, tablesIn } from './sql-objects.ts'
import type { Db } from './tables.ts'

const directory = new URL('./migrations/', import.meta.url)
const scope = 'core'
const lockLimit = 10 * minute

/** Several nodes may call this concurrently. An advisory lock serializes the calls. */
export async function migrate(db: Db, now: Date, files = readNumberedFiles(directory)): Promise<string[]> {
  await createRegister(db)
  const known = await findApplied(db)
  assertSameSchema([...known.values()], files)
  const applied: string[] = []
  for (const file of files.filter((one) => !known.has(versionOf(one)))) {
    if (await applyOnce(db, file, now)) applied.push(file.name)
  }
  return applied
}

export async function pendingMigrations(db: Db, files = readNumberedFiles(directory)): Promise<string[]> {
  const { rows } = await sql<{
    present: boolean
  }>`SELECT to_regclass('schema_migrations') IS NOT NULL AS present`.execute(db)
  if (!rows[0]?.present) return files.map((file) => file.name)
  const applied = await findApplied(db)
  assertSameSchema([...applied.values()], files)
  return files.filter((file) => !applied.has(versionOf(file))).map((file) => file.name)
}

/** Returns the indexes, functions and triggers created by migrations. Assumes that no migration drops any of them. */
export const shippedObjects = (files = readNumberedFiles(directory)): (SqlObject & { file: string })[] =>
  files.flatMap(({ name, text }) => objectsOf(text).map((object) => ({ ...object, file: name })))

export const coreTables = (files = readNumberedFiles(directory)): string[] =>
  files.flatMap(({ text }) => tablesIn(text))

export const tablesOfMigrations = (names: readonly string[]): string[] =>
  coreTables(readNumberedFiles(directory).filter(({ name }) => names.includes(name)))

export interface KnownMigration {
  version: number
  name: string
  checksum: string
  applied_at: Date
}

/** Runs the `known` migrations and returns the others. Throws if this version lacks one of the `known` migrations. */
export async function recreateSchema(
  tx: Db,
  known: readonly KnownMigration[],
  files = readNumberedFiles(directory),
): Promise<SqlFile[]> {
  await createRegisterWithin(tx)
  assertSameSchema(known, files)
  for (const row of known) {
    const file = findFile(row, files)
    if (!file) throw new Error(`It was made by a newer version of Wardenry: the migration ${row.name} is unknown here`)
    await runAndRegister(tx, file, row.applied_at)
  }
  return files.filter((file) => !known.some(({ version }) => version === versionOf(file)))
}

export const findUnknownMigration = <Row extends Pick<KnownMigration, 'version'>>(
  rows: readonly Row[],
  files = readNumberedFiles(directory),
): Row | undefined => rows.find((row) => !findFile(row, files))

const findFile = ({ version }: Pick<KnownMigration, 'version'>, files: readonly SqlFile[]): SqlFile | undefined =>
  files.find((file) => versionOf(file) === version)

export async function runAndRegister(tx: Db, file: SqlFile, now: Date): Promise<void> {
  await runSql(tx, file)
  const row = { scope, version: versionOf(file), name: file.name, checksum: file.checksum, applied_at: now }
  await tx.insertInto('schema_migrations').values(row).execute()
}

const createRegister = (db: Db): Promise<void> => db.transaction().execute(createRegisterWithin)

async function createRegisterWithin(tx: Db): Promise<void> {
  await takeMigrationLock(tx)
  await sql`CREATE TABLE IF NOT EXISTS schema_migrations (
      scope text NOT NULL, version integer NOT NULL, name text NOT NULL, checksum text NOT NULL,
      applied_at timestamptz NOT NULL, PRIMARY KEY (scope, version))`.execute(tx)
}

async function applyOnce(db: Db, file: SqlFile, now: Date): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    await takeMigrationLock(transaction)
    // Another node may have applied the migration while this node waited.
    if ((await findApplied(transaction)).has(versionOf(file))) return false
    await runAndRegister(transaction, file, now)
    return true
  })
}

/** Polls for the lock because statement and lock timeouts would end a wait inside PostgreSQL. */
export async function takeMigrationLock(db: Db): Promise<void> {
  const deadline = performance.now() + lockLimit
  for (;;) {
    if (await tryLock(db, 'migrations')) return
    if (performance.now() > deadline)
      throw new Error('Another process did not finish its migrations within ten minutes')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

type AppliedMigration = Pick<KnownMigration, 'version' | 'name' | 'checksum'>

async function findApplied(db: Db): Promise<Map<number, AppliedMigration>> {
  const rows = await db
    .selectFrom('schema_migrations')
    .select(['version', 'name', 'checksum'])
    .where('scope', '=', scope)
    .execute()
  return new Map(rows.map((row) => [row.version, row]))
}

/** Later migrations are ignored, because this version of the service also works with the schema of the next one. */
export function assertSameSchema(
  applied: readonly AppliedMigration[],
  files: readonly SqlFile[] = readNumberedFiles(directory),
): void {
  const last = Math.max(...files.map(versionOf))
  for (const { version, name, checksum } of applied) {
    const file = files.find((one) => versionOf(one) === version)
    if (version > last || (file?.name === name && file.checksum === checksum)) continue
    throw new Error(
      `The schema is from an unreleased revision of Wardenry, in which the migration ${name} was different: use that ` +
        'revision or an empty database, or restore the file if you changed it. Nothing was executed.',
    )
  }
}

const versionOf = (file: SqlFile): number => Number(file.name.slice(0, 3))
