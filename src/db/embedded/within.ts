import type { EmbeddedEngine } from './engine.ts'

/** A timeout, reported with the SQLSTATE that a PostgreSQL server would use. */
export class LimitPassed extends Error {
  readonly code: '57014' | '25P03'

  constructor(code: '57014' | '25P03', message: string) {
    super(message)
    this.code = code
  }
}

/** The engine cannot be interrupted, so a timeout ends it. This is as safe as killing the process. */
export async function responseWithin<Result>(
  limit: number,
  engine: EmbeddedEngine,
  answer: Promise<Result>,
): Promise<Result> {
  let isResponded = false
  let killed: Promise<void> | undefined
  const overdue = () => {
    if (!isResponded) killed = engine.kill(new LimitPassed('57014', `a statement took longer than ${limit} ms`))
  }
  // If the process was suspended, a response may be waiting. `setImmediate` lets the process read it first.
  const timer = setTimeout(() => setImmediate(overdue), limit)
  try {
    return await answer
  } finally {
    isResponded = true
    clearTimeout(timer)
    // A new engine must not open the directory before the old one has stopped.
    await killed
  }
}
