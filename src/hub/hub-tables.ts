import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { readSqlFile } from '../db/sql-files.ts'
import type { Db } from '../db/tables.ts'
import type { Asking } from './install.ts'
import { assertUnlocked } from './lock.ts'
import { findHubTables, runShippedSql, waitForHubTables } from './queries.ts'

const directory = new URL('./', import.meta.url)

export interface CreatedTables {
  created: string[]
  existing: string[]
}

/** Creates what the hub remembers in, as far as it is absent. */
export const createHubTables = (db: Db): Promise<CreatedTables> =>
  db.transaction().execute(async (change) => {
    await waitForHubTables(change)
    const before = await findHubTables(change)
    const names = (exist: boolean) => before.filter(({ exists }) => exists === exist).map(({ name }) => name)
    const tables = { created: names(false), existing: names(true) }
    if (tables.created.length > 0) await runShippedSql(change, readSqlFile(directory, 'hub.sql').text)
    return tables
  })

/** The hub alone, as an administrator asks for it; refused while something is being installed. */
export async function runHub(ctx: Context, { actor, device }: Asking) {
  await assertUnlocked(ctx)
  const tables = await createHubTables(ctx.db)
  const details = { module: 'module-hub', ...tables }
  await recordAudit(ctx, ctx.db, { event: 'module_installed', actor, ...(device && { device }), details })
  return { installed: true as const, ...tables }
}

/** What the hub consists of, in the order of its making. */
export async function dryRunHub(ctx: Context, { actor, device }: Asking): Promise<string[]> {
  const details = { module: 'module-hub' }
  await recordAudit(ctx, ctx.db, { event: 'module_dry_run', actor, ...(device && { device }), details })
  return ['registry', 'events', 'locks']
}
