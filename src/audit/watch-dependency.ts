import type { Context } from '../context.ts'
import type { Database } from '../db/connect.ts'
import { iso, second } from '../lib/time.ts'
import { recordAudit } from './record.ts'

const every = 5 * second

export function watchDatabase(ctx: Context, { state, checkSignIns }: Database): { stop(): void } {
  let known: string | undefined
  return watchDependency(ctx, 'database', async () => {
    // Concurrent callers share one probe.
    const [found, fault] = await Promise.all([
      state().catch(() => 'away'),
      checkSignIns().then(
        () => undefined,
        (error: unknown) => error,
      ),
    ])
    const reason = fault === undefined ? undefined : String(fault)
    if (reason !== undefined && reason !== known) ctx.log.warn({ err: fault }, 'the database cannot serve sign-ins')
    known = reason
    ctx.metrics.dependency('database', found !== 'away')
    ctx.metrics.databaseWritable(reason === undefined)
    return reason === undefined
  })
}

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
