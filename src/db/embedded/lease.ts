import type { EmbeddedEngine } from './engine.ts'
import type { GroupCommit } from './group-commit.ts'
import { LimitPassed, responseWithin } from './within.ts'

const defaultIdleLimit = 15_000

export interface EngineLease {
  query: EmbeddedEngine['query']
  script: EmbeddedEngine['script']
  dump: EmbeddedEngine['dump']
  /** Rolls back an open transaction. Resolves when everything that the turn committed or read is durable. */
  release(): Promise<void>
}

interface Turn {
  commits: GroupCommit
  startNext(): void
  limit: number
  idleLimit?: number | undefined
}

export function openLease(engine: EmbeddedEngine, turn: Turn): EngineLease {
  const { commits, startNext, limit, idleLimit = defaultIdleLimit } = turn
  let rejection: Error | undefined
  let ended: Promise<void> | undefined
  let running: Promise<unknown> = Promise.resolve()
  let idle = whenIdle()

  // A turn that is idle for too long is ended. Otherwise, it would block the database forever.
  function whenIdle(): NodeJS.Timeout {
    const reason = () => new LimitPassed('25P03', `no statement was received for ${idleLimit} ms`)
    return setTimeout(() => end(reason()).catch(() => {}), idleLimit).unref()
  }

  async function run<Result>(start: () => Promise<Result>): Promise<Result> {
    if (rejection) throw rejection
    clearTimeout(idle)
    const response = responseWithin(limit, engine, start()).finally(() => commits.afterStatement(engine))
    running = response.catch(() => {})
    try {
      return await response
    } finally {
      if (!rejection) idle = whenIdle()
    }
  }

  function end(reason: Error): Promise<void> {
    rejection ??= reason
    ended ??= endNow()
    return ended
  }

  async function endNow(): Promise<void> {
    clearTimeout(idle)
    await running
    // The rollback fails only if the engine has ended, in which case the transaction is already rolled back.
    if (engine.transaction() !== 'none') await responseWithin(limit, engine, engine.query('ROLLBACK')).catch(() => {})
    await commits.endTurn(engine, startNext)
  }

  return {
    query: (text, values) => run(() => (text === 'commit' ? commits.commit(engine) : engine.query(text, values))),
    script: (text) => run(() => engine.script(text)),
    dump: () => run(() => engine.dump()),
    release: () => end(new Error('This connection to the embedded database was released')),
  }
}

export async function inTurn<Result>(
  taken: Promise<EngineLease>,
  work: (lease: EngineLease) => Promise<Result>,
): Promise<Result> {
  const lease = await taken
  try {
    return await work(lease)
  } finally {
    await lease.release()
  }
}
