import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import type { BackupHeader } from '../../src/backup/format.ts'
import { restoreBackup, verifyBackup } from '../../src/backup/restore-backup.ts'
import { streamBackup } from '../../src/backup/stream-backup.ts'
import { describeTables, sumRows, type TableSum, useFixedTexts } from '../../src/db/bulk/tables.ts'
import { connectDatabase, type Database } from '../../src/db/connect.ts'
import { loadModules } from '../../src/hub/load-modules.ts'
import { shippedModules } from '../../src/modules/index.ts'
import { createDatabase, dropDatabase } from '../support/postgres.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

export const modules = ['two-factor', 'api-keys', 'oauth', 'privacy', 'onboarding', 'blog', 'post-types']
const switches = { BLOG_ENABLED: 'true', POST_TYPES_ENABLED: 'true', RATE_LIMIT_REGISTRATION: '1000/1m' }

/** The application with all modules. */
export const startFull = (
  env: Record<string, string> = {},
  more: Pick<Parameters<typeof startTestApp>[0] & object, 'database' | 'clock'> = {},
): Promise<TestApp> =>
  startTestApp({
    ...more,
    ...(more.database ? {} : { modules }),
    env: { ...switches, RATE_LIMIT_ADMIN: '1000/1h', ...env },
  })

export async function newDirectory(t: Pick<TestContext, 'after'>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'wardenry-backup-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  return directory
}

const inMemory = { url: undefined, poolMax: 4, dataDir: undefined, archive: undefined, onDown: () => {} }
let emptyArchive: Promise<string> | undefined

/** Loading this archive takes a quarter of the time that the engine needs to create a database. */
async function createEmptyArchive(): Promise<string> {
  const path = join(temporaryDirectory('backup'), 'empty.tar.gz')
  const database = await connectDatabase(inMemory)
  await writeFile(path, await database.dump())
  await database.close()
  return path
}

/** Opens an empty database on the TEST_DATABASE_URL server, or embedded if that is not set. */
export async function openEmpty(t: Pick<TestContext, 'after'>): Promise<Database> {
  const server = process.env.TEST_DATABASE_URL
  const url = server ? await createDatabase(server) : undefined
  if (!server) emptyArchive ??= createEmptyArchive()
  const opened = await connectDatabase({ ...inMemory, url, archive: await emptyArchive })
  let closing: Promise<void> | undefined
  const close = () => {
    // An application that uses the database also closes it.
    closing ??= opened.close()
    return closing
  }
  t.after(async () => {
    await close()
    if (server && url) await dropDatabase(server, url)
  })
  return { ...opened, close }
}

export const loaded = () => loadModules(shippedModules)
const onProgress = () => {}

interface BackupOptions {
  passphrase?: string
  secrets?: Buffer
  pictures?: BackupHeader['pictures']
}

export const backUp = ({ ctx, database }: TestApp, path: string, options: BackupOptions = {}) =>
  streamBackup(database, createWriteStream(path), {
    config: ctx.config,
    files: ctx.files,
    modules: loaded(),
    pictures: options.pictures ?? 'included',
    secrets: options.secrets,
    passphrase: options.passphrase,
    now: new Date(),
    onProgress,
  })

interface RestoreOptions {
  passphrase?: string
  keepSessions?: boolean
  keepKeys?: boolean
  /** The directory or bucket for pictures. */
  dataDir?: string
}

/** Restores a backup with the settings of `app`. */
export async function restore(
  { ctx: { config, log } }: TestApp,
  database: Database,
  path: string,
  { passphrase, keepSessions = false, keepKeys = false, dataDir = config.DATA_DIR }: RestoreOptions = {},
) {
  const file = { path, passphrase }
  const verified = await verifyBackup(file)
  const options = { file, verified, log, config: { ...config, DATA_DIR: dataDir } }
  return restoreBackup(database, { ...options, modules: loaded(), keepSessions, keepKeys, onProgress })
}

/** The row count and checksum of each table in the service's schema. */
export async function sumsOf({ db }: Pick<Database, 'db'>): Promise<Record<string, TableSum>> {
  return db.transaction().execute(async (tx) => {
    await useFixedTexts(tx)
    const { rows } = await sql<{ name: string }>`SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname`.execute(tx)
    const sums: Record<string, TableSum> = {}
    for (const table of await describeTables(
      tx,
      rows.map(({ name }) => name),
    ))
      sums[table.name] = await sumRows(tx, table)
    return sums
  })
}
