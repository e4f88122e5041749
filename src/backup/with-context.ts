import type { Context } from '../context.ts'
import { type ContextOptions, createContext } from '../create-context.ts'

/**
 * Creates the context although the database is marked, because `work` completes or undoes a restore or move. Redis is
 * not used, because it may belong to another installation. Its entries need not be invalidated, because nodes ignore
 * entries written before they started.
 */
export async function withContext<Result>(
  options: ContextOptions,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const closers: (() => unknown)[] = []
  try {
    const config = { ...options.config, REDIS_URL: undefined }
    const { ctx } = await createContext({ ...options, config }, closers)
    // No node uses a marked database, so no node needs an invalidation message for each user.
    return await work({ ...ctx, sessions: { ...ctx.sessions, invalidate: async () => {} } })
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}
