import type { Context } from '../context.ts'
import { pageOf, paginationOf } from '../lib/paging.ts'
import { iso } from '../lib/time.ts'
import { getModule } from './describe-modules.ts'
import { countRuns, findRunEvents, type RunEvent } from './history-queries.ts'
import type { Hub } from './hub.ts'
import type { PlanAction } from './plan.ts'
import { isHubComplete } from './queries.ts'

const actions = new Map<string, PlanAction>([
  ['component_installed', 'install'],
  ['component_upgraded', 'upgrade'],
  ['component_repaired', 'repair'],
  ['component_skipped', 'skip'],
])

/** Returns all runs, including failed ones, newest first. The registry contains only the last successful run. */
export async function runsOf(
  ctx: Context,
  hub: Hub,
  id: string,
  { runtime_scope: scope, ...paging }: { runtime_scope: string; page?: number; limit?: number },
) {
  const module = getModule(hub, id)
  const page = pageOf(paging)
  if (!(await isHubComplete(ctx.db))) return { runs: [], pagination: paginationOf(page, 0) }
  const total = await countRuns(ctx.db, module.id, scope)
  const events = await findRunEvents(ctx.db, module.id, scope, page)
  const runs = Map.groupBy(events, ({ run_id }) => run_id)
  return { runs: [...runs.values()].map(describeRun), pagination: paginationOf(page, total) }
}

function describeRun(events: RunEvent[]) {
  const [first] = events as [RunEvent]
  const failure = events.find(({ event_type }) => event_type === 'run_failed')
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const steps = events.flatMap(({ event_type, component_id, detail }) => {
    const action = actions.get(event_type)
    if (!action || component_id === null) return []
    return [{ component_id, action, from_version: text(detail.from), to_version: text(detail.to) }]
  })
  return {
    run_id: first.run_id,
    time: iso(first.created_at),
    actor_id: first.actor_user_id,
    actor_email: first.actor_email,
    outcome: failure ? ('failure' as const) : ('success' as const),
    code: text(failure?.detail.code),
    reasons: reasonsIn(failure?.detail.reasons),
    steps,
  }
}

const reasonsIn = (reasons: unknown): { field: string; message: string }[] =>
  Array.isArray(reasons)
    ? reasons.map(({ field, message }) => ({ field: String(field), message: String(message) }))
    : []
