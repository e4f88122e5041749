import type { QueryResult } from 'pg'
import { type EmbeddedEngine, EngineGone } from './engine.ts'
import { responseWithin } from './within.ts'

/** In milliseconds. */
const longestGroup = 20
const syncLimit = 5_000

const commitWithoutSync = 'SET LOCAL synchronous_commit = off; COMMIT'
/** The last argument flushes the WAL. COMMIT does not flush it if the transaction changed nothing. */
const syncLog = `SELECT pg_logical_emit_message(false, 'wardenry', '', true)`

/**
 * Lets waiting turns share one fsync. A turn is acknowledged only when every commit before its end is durable. The same
 * applies to read-only turns, because a power failure could undo the changes that they read.
 */
export interface GroupCommit {
  /** Commits the open transaction, without a separate fsync if other turns are waiting. */
  commit(engine: EmbeddedEngine): Promise<QueryResult>
  /** Called after each statement of the current turn so that a long transaction does not delay earlier commits. */
  afterStatement(engine: EmbeddedEngine): Promise<void>
  /** Makes all commits durable. Must be called during a turn, like `commit` and `afterStatement`. */
  flush(engine: EmbeddedEngine): Promise<void>
  /** Ends a turn. Resolves when all earlier commits are durable. Rejects if some of them may be lost. */
  endTurn(engine: EmbeddedEngine, startNext: () => void): Promise<void>
}

interface Group {
  since: number
  flushed: PromiseWithResolvers<void>
}

export function groupCommits(isAnyoneWaiting: () => boolean): GroupCommit {
  let group: Group | undefined
  const isOverdue = () => group !== undefined && performance.now() - group.since > longestGroup

  function open(engine: EmbeddedEngine): Group {
    const opened = { since: performance.now(), flushed: Promise.withResolvers<void>() }
    opened.flushed.promise.catch(() => {})
    void engine.ended.then((error) => {
      if (group === opened) group = undefined
      opened.flushed.reject(error ?? new EngineGone('The embedded database is closed'))
    })
    return opened
  }

  async function flush(engine: EmbeddedEngine): Promise<void> {
    if (!group) return
    const { flushed } = group
    try {
      await responseWithin(syncLimit, engine, engine.query(syncLog))
      flushed.resolve()
    } catch (cause) {
      const error = new EngineGone('The embedded database could not be synced', { cause })
      // The engine's memory contains changes that may be lost. A new engine reads the state on disk.
      await engine.kill(error)
      flushed.reject(error)
      throw error
    } finally {
      group = undefined
    }
  }

  return {
    async commit(engine) {
      // COMMIT in a failed transaction reports ROLLBACK instead of an error.
      if (engine.transaction() !== 'open' || !(group || isAnyoneWaiting())) return engine.query('commit')
      const [, committed] = await engine.script(commitWithoutSync)
      group ??= open(engine)
      return committed!
    },
    async afterStatement(engine) {
      if (isOverdue() && engine.transaction() !== 'failed') await flush(engine)
    },
    flush,
    async endTurn(engine, startNext) {
      const durable = group?.flushed.promise
      // `durable` reports a failure to all turns in the group.
      if (isOverdue() || !isAnyoneWaiting()) await flush(engine).catch(() => {})
      startNext()
      await durable
    },
  }
}
