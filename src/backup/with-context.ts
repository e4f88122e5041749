import type { Context } from '../context.ts'
import { type ContextOptions, createContext } from '../create-context.ts'

/** Creates the context even though the database is marked, because `work` completes or undoes a restore or move. */
export async function withContext<Result>(
  options: ContextOptions,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const closers: (() => unknown)[] = []
  try {
    const { ctx } = await createContext(options, closers)
    return await work(ctx)
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}
