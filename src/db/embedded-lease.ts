import type { Engine } from './embedded-engine.ts'

const idleLimit = 15_000

/** The engine for one turn: a statement, a script or a transaction. */
export interface Lease {
  query: Engine['query']
  script: Engine['script']
  dump: Engine['dump']
  /** Rolls back what is still open, then ends the turn. */
  release(): Promise<void>
}

/** A time limit that server PostgreSQL keeps itself, reported under the same SQLSTATE. */
export class LimitPassed extends Error {
  readonly code: '57014' | '25P03'

  constructor(code: '57014' | '25P03', message: string) {
    super(message)
    this.code = code
  }
}

export function openLease(engine: Engine, endTurn: () => void, limit: number): Lease {
  let refusal: Error | undefined
  let running: Promise<unknown> = Promise.resolve()
  let idle = whenIdle()

  // The turn of somebody who never comes back would be the last one of this process.
  function whenIdle(): NodeJS.Timeout {
    return setTimeout(() => end(new LimitPassed('25P03', `no statement came for ${idleLimit} ms`)), idleLimit).unref()
  }

  async function run<Result>(start: () => Promise<Result>): Promise<Result> {
    if (refusal) throw refusal
    clearTimeout(idle)
    const answer = within(limit, engine, start())
    running = answer.catch(() => {})
    try {
      return await answer
    } finally {
      if (!refusal) idle = whenIdle()
    }
  }

  async function end(reason: Error): Promise<void> {
    if (refusal) return
    refusal = reason
    clearTimeout(idle)
    await running
    // Fails only with the engine, and then nothing is left to roll back.
    if (engine.isInTransaction()) await within(limit, engine, engine.query('ROLLBACK')).catch(() => {})
    endTurn()
  }

  return {
    query: (text, values) => run(() => engine.query(text, values)),
    script: (text) => run(() => engine.script(text)),
    dump: () => run(() => engine.dump()),
    release: () => end(new Error('This connection to the embedded database was given back')),
  }
}

/**
 * The engine cannot be interrupted, and statement_timeout does nothing in it. What takes too long is ended together
 * with the engine, as harmless as a kill of the process, and the next turn opens a new one.
 */
async function within<Result>(limit: number, engine: Engine, answer: Promise<Result>): Promise<Result> {
  let isAnswered = false
  let killed: Promise<void> | undefined
  const overdue = () => {
    if (!isAnswered) killed = engine.kill(new LimitPassed('57014', `a statement took longer than ${limit} ms`))
  }
  // After a pause of the whole process an answer may be waiting; it is read before the immediate runs.
  const timer = setTimeout(() => setImmediate(overdue), limit)
  try {
    return await answer
  } finally {
    isAnswered = true
    clearTimeout(timer)
    // Two engines must not be in one directory, not even for the moment in which the first one ends.
    await killed
  }
}

/** A turn as long as the work. */
export async function inTurn<Result>(taken: Promise<Lease>, work: (lease: Lease) => Promise<Result>): Promise<Result> {
  const lease = await taken
  try {
    return await work(lease)
  } finally {
    await lease.release()
  }
}
