import type { EmbeddedEngine } from './engine.ts'

const defaultIdleLimit = 15_000

export interface EngineLease {
  query: EmbeddedEngine['query']
  script: EmbeddedEngine['script']
  dump: EmbeddedEngine['dump']
  /** Rolls back an open transaction and ends the turn. */
  release(): Promise<void>
}

/** A timeout, reported with the SQLSTATE that a PostgreSQL server uses. */
export class LimitPassed extends Error {
  readonly code: '57014' | '25P03'

  constructor(code: '57014' | '25P03', message: string) {
    super(message)
    this.code = code
  }
}

export function openLease(
  engine: EmbeddedEngine,
  endTurn: () => void,
  limit: number,
  idleLimit = defaultIdleLimit,
): EngineLease {
  let refusal: Error | undefined
  let running: Promise<unknown> = Promise.resolve()
  let idle = whenIdle()

  // A turn that is idle for too long is ended, because it would block the database forever.
  function whenIdle(): NodeJS.Timeout {
    return setTimeout(
      () => end(new LimitPassed('25P03', `no statement was received for ${idleLimit} ms`)),
      idleLimit,
    ).unref()
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
    // The rollback fails only if the engine has ended. The transaction is then rolled back anyway.
    if (engine.isInTransaction()) await within(limit, engine, engine.query('ROLLBACK')).catch(() => {})
    endTurn()
  }

  return {
    query: (text, values) => run(() => engine.query(text, values)),
    script: (text) => run(() => engine.script(text)),
    dump: () => run(() => engine.dump()),
    release: () => end(new Error('This connection to the embedded database was released')),
  }
}

/** The engine cannot be interrupted, so a timeout ends the engine. This is as safe as killing the process. */
async function within<Result>(limit: number, engine: EmbeddedEngine, answer: Promise<Result>): Promise<Result> {
  let isAnswered = false
  let killed: Promise<void> | undefined
  const overdue = () => {
    if (!isAnswered) killed = engine.kill(new LimitPassed('57014', `a statement took longer than ${limit} ms`))
  }
  // If the process was suspended, a response may be waiting. `setImmediate` allows it to be read first.
  const timer = setTimeout(() => setImmediate(overdue), limit)
  try {
    return await answer
  } finally {
    isAnswered = true
    clearTimeout(timer)
    // Two engines must never use the same directory.
    await killed
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
