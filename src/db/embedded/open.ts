import { join } from 'node:path'
import type { Dialect } from 'kysely'
import type { PoolUse } from '../../adapters/metrics/port.ts'
import type { Tracing } from '../../adapters/tracing/port.ts'
import { acquireLockFile } from '../lock-file.ts'
import { assertOwner } from './archive.ts'
import { openControlSocket } from './control-socket.ts'
import { type ControlSocket, removeAbandonedCopies, serveCopies } from './copies.ts'
import { openDirectory, openInMemory, prepareDirectory } from './create.ts'
import { embeddedDialect } from './dialect.ts'
import type { EmbeddedEngine } from './engine.ts'
import { groupCommits } from './group-commit.ts'
import { type EngineLease, inTurn, openLease } from './lease.ts'
import { superviseEngine } from './restart.ts'
import { copyWhileOpen } from './snapshot.ts'
import { createTurns } from './turns.ts'
import { startUpkeep } from './upkeep.ts'

const closeLimit = 5_000

export interface EmbeddedOptions {
  /** If undefined, the database is in memory, as in tests. */
  dataDir: string | undefined
  archive: string | undefined
  /**
   * Runs when a database is created on disk without `archive`. The database appears on disk only after this statement
   * has run.
   */
  firstStatement?: string | undefined
  tracing?: Tracing | undefined
  /** In milliseconds. Requests that wait longer fail with PoolBusy. */
  waitLimit?: number
  /** In milliseconds, per statement of `dialect` and `query`. */
  statementLimit?: number
  /** In milliseconds, for `exec` and `dump`. */
  scriptLimit?: number
}

/** PGlite in this process: one process per data directory, one statement at a time. Changes survive a power failure. */
export interface EmbeddedDatabase {
  dialect: Dialect
  /** `limit` is in milliseconds and applies to each statement and each pause between statements. */
  longDialect(limit: number): Dialect
  /** Never runs inside a transaction. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  exec(text: string): Promise<Record<string, unknown>[][]>
  dump(): Promise<Uint8Array>
  connections(): PoolUse
  /** Copies the files while the database is in use. */
  copyTo(target: string): Promise<void>
  /** Adds a handler that runs before the files are copied, for example for a backup. If it fails, no copy is made. */
  beforeCopy(handler: () => Promise<void>): void
  /**
   * Adds a handler that receives the reason if the engine ends unexpectedly. The next turn reopens an on-disk database.
   */
  onExit(handler: (error: Error) => void): void
  /** Waits up to five seconds for running and queued turns, flushes all commits, and releases the lock. */
  close(): Promise<void>
}

export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { dataDir, archive, firstStatement } = options
  if (dataDir === undefined) return serve(options, await openInMemory(archive))
  const directory = join(dataDir, 'postgres')
  assertOwner(directory)
  const lock = await acquireLockFile(dataDir)
  let control: ControlSocket | undefined
  const release = async () => {
    await control?.close()
    await lock.release()
  }
  try {
    await prepareDirectory(directory, { archive, firstStatement })
    await removeAbandonedCopies(dataDir)
    const open = () => openDirectory(directory)
    control = await openControlSocket(dataDir)
    const database = serve(options, await open(), { directory, open, release })
    return { ...database, beforeCopy: serveCopies(control, dataDir, database.copyTo) }
  } catch (error) {
    await release()
    throw error
  }
}

interface OnDisk {
  directory: string
  open(): Promise<EmbeddedEngine>
  release(): Promise<void>
}

function serve(options: EmbeddedOptions, first: EmbeddedEngine, disk?: OnDisk): EmbeddedDatabase {
  const { waitLimit = 2_000, statementLimit = 5_000, scriptLimit = 60_000 } = options
  const handlers: ((error: Error) => void)[] = []
  const turns = createTurns({ wait: waitLimit, queue: 200 })
  const engines = superviseEngine(first, disk?.open, (error) => {
    for (const handle of handlers) handle(error)
  })
  let closing: Promise<void> | undefined
  const commits = groupCommits(() => disk !== undefined && closing === undefined && turns.use().waiting > 0)
  const take = async (limit: number, idleLimit?: number): Promise<EngineLease> => {
    await turns.take()
    try {
      const engine = await engines.current()
      // Pending commits are synced first, so that a long operation does not delay them.
      if (limit > statementLimit) await commits.flush(engine)
      return openLease(engine, { commits, startNext: turns.end, limit, idleLimit })
    } catch (error) {
      turns.end()
      throw error
    }
  }
  const upkeep = disk && startUpkeep(disk.directory, () => take(scriptLimit))
  const close = async () => {
    upkeep?.stop()
    await turns.close(closeLimit)
    await engines.close()
    await disk?.release()
  }

  return {
    dialect: embeddedDialect(() => take(statementLimit), options.tracing),
    query: (text, values) => inTurn(take(statementLimit), async (lease) => (await lease.query(text, values)).rows),
    exec: (text) => inTurn(take(scriptLimit), async (lease) => (await lease.script(text)).map(({ rows }) => rows)),
    dump: () => inTurn(take(scriptLimit), checkpointAndDump),
    connections: turns.use,
    longDialect: (limit) => embeddedDialect(() => take(limit, limit), options.tracing),
    beforeCopy: () => {},
    copyTo: async (target) => {
      if (!disk || !upkeep) throw new Error('A database in memory has no files')
      const takeLease = () => take(scriptLimit)
      await copyWhileOpen({ directory: disk.directory, target, takeLease, withoutUpkeep: upkeep.paused })
    },
    onExit: (handler) => void handlers.push(handler),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

// Without a checkpoint, opening the dump would replay the write-ahead log.
async function checkpointAndDump(lease: EngineLease): Promise<Uint8Array> {
  await lease.query('CHECKPOINT')
  return lease.dump()
}
