import { describeTables, type TableShape } from '../db/bulk/tables.ts'
import { isBusyTable, missesObject } from '../db/errors.ts'
import type { Db } from '../db/tables.ts'
import type { LoadedModule } from '../hub/define-module.ts'
import { findInstalledComponents } from './find-components.ts'
import { tablesToCopy } from './installed-tables.ts'
import { limitLockWait, lockStructure } from './queries.ts'

class StructureChanged extends Error {}

/** The attempts take up to two minutes in total because each waits up to half a second for locks. */
const attempts = 240

/**
 * The tables are locked before the first query, which takes the snapshot. If the snapshot were taken earlier, rewritten
 * tables would look empty.
 */
export async function readTables<Result>(
  db: Db,
  modules: readonly LoadedModule[],
  read: (tx: Db) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const expected = await findTables(db, modules)
    try {
      return await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (tx) => {
          await lockTables(tx, expected)
          assertSameTables(expected, await findTables(tx, modules))
          return read(tx)
        })
    } catch (error) {
      if (!(error instanceof StructureChanged) || attempt === attempts) throw error
    }
  }
}

/** A longer wait could deadlock with a migration. */
async function lockTables(tx: Db, tables: readonly TableShape[]): Promise<void> {
  await limitLockWait(tx, 500)
  await lockStructure(
    tx,
    tables.map(({ name }) => name),
  ).catch((error) => {
    throw isBusyTable(error) || missesObject(error) ? changed() : error
  })
}

export async function findTables(db: Db, modules: readonly LoadedModule[]): Promise<TableShape[]> {
  return describeTables(db, tablesToCopy(await findInstalledComponents(db, modules), modules))
}

export function assertSameTables(expected: readonly TableShape[], found: readonly TableShape[]): void {
  if (JSON.stringify(expected) !== JSON.stringify(found)) throw changed()
}

const changed = () =>
  new StructureChanged('The tables were being changed, for example by a migration. Nothing was written. Try again.')
