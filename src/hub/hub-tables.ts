import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { waitForLock } from '../db/advisory-locks.ts'
import { lacksRight } from '../db/errors.ts'
import { readSqlFile } from '../db/sql-files.ts'
import type { Db } from '../db/tables.ts'
import { AppError } from '../lib/errors.ts'
import type { Hub } from './hub.ts'
import { assertHubUnlocked } from './lock.ts'
import { findHubTables, runShippedSql } from './queries.ts'
import type { InstallActor } from './run-request.ts'

const directory = new URL('./', import.meta.url)

export interface CreatedTables {
  created: string[]
  existing: string[]
}

export async function createHubTables(db: Db): Promise<CreatedTables> {
  try {
    return await createMissing(db)
  } catch (error) {
    throw needsOwner(error) ?? error
  }
}

const createMissing = (db: Db): Promise<CreatedTables> =>
  db.transaction().execute(async (tx) => {
    // Only one transaction creates the tables. Concurrent transactions wait and then find them.
    await waitForLock(tx, 'hubTables')
    const before = await findHubTables(tx)
    const names = (exist: boolean) => before.filter(({ exists }) => exists === exist).map(({ name }) => name)
    const tables = { created: names(false), existing: names(true) }
    if (tables.created.length > 0) await createHubTablesWithin(tx)
    return tables
  })

/** For transactions that create a complete installation, as a restore does. */
export const createHubTablesWithin = (tx: Db) => runShippedSql(tx, readSqlFile(directory, 'hub.sql').text)

export async function createInstallerTables(ctx: Context, hub: Hub, { actor, device }: InstallActor) {
  await assertHubUnlocked(ctx, hub)
  const tables = await createHubTables(ctx.db)
  if (tables.created.length > 0) {
    const details = { module: 'module-hub', ...tables }
    await recordAudit(ctx, { event: 'module_installed', actor, device, details })
  }
  return { installed: true as const, ...tables }
}

export async function dryRunHub(ctx: Context, { actor, device }: InstallActor): Promise<string[]> {
  const details = { module: 'module-hub' }
  await recordAudit(ctx, { event: 'module_dry_run', actor, device, details })
  return ['registry', 'events', 'locks']
}

const advice = 'the database role of the service must not create tables. Run "wardenry module install" as their owner'

export const needsOwner = (error: unknown): AppError | undefined =>
  lacksRight(error)
    ? new AppError('MODULE_RUN_FAILED', {
        sentence: `The installation failed and was rolled back: ${advice}`,
        details: [{ field: 'run', message: `${advice}: with the DATABASE_URL of the role that owns the tables` }],
        cause: error,
      })
    : undefined
