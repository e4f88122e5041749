import type { Context } from '../context.ts'
import type { DatabaseState } from '../db/probe.ts'
import { iso, second } from '../lib/time.ts'
import { recordAudit } from './record.ts'

const every = 5 * second

export const watchDatabase = (ctx: Context, state: () => Promise<DatabaseState>): { stop(): void } =>
  watchDependency(ctx, 'database', async () => {
    const found = await state().catch(() => 'away')
    ctx.metrics.dependency('database', found !== 'away')
    ctx.metrics.databaseWritable(found === 'writable')
    return found === 'writable'
  })

/** A database outage can be recorded only after it has ended, because the events are stored in the database. */
export function watchDependency(
  ctx: Context,
  name: 'database' | 'redis',
  isUp: () => Promise<boolean>,
): { stop(): void } {
  let downSince: number | undefined
  const look = async () => {
    const up = await isUp().catch(() => false)
    if (!up && downSince === undefined) {
      downSince = ctx.clock.now()
      await note('dependency_down', downSince)
    } else if (up && downSince !== undefined) {
      await note('dependency_up', downSince)
      downSince = undefined
    }
  }
  const note = (event: 'dependency_down' | 'dependency_up', since: number) =>
    recordAudit(ctx, {
      event,
      outcome: event === 'dependency_up' ? 'success' : 'failure',
      details: { name, since: iso(since) },
    }).catch(() => {})
  void look()
  const timer = setInterval(look, every).unref()
  return { stop: () => clearInterval(timer) }
}
