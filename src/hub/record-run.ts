import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { AppError } from '../lib/errors.ts'
import type { PlanAction, PlanStep } from './plan.ts'
import { type HubEvent, insertHubEvents } from './queries.ts'
import type { HubRun } from './run-request.ts'

const eventOf: Record<PlanAction, string> = {
  install: 'component_installed',
  upgrade: 'component_upgraded',
  repair: 'component_repaired',
  skip: 'component_skipped',
  drift: 'component_skipped',
}

/** Must be called outside the run's transaction so that failed runs are also recorded. */
export async function recordRun(
  ctx: Context,
  run: HubRun,
  steps: readonly PlanStep[],
  failure?: AppError,
): Promise<void> {
  const order = steps.map(({ component }) => component.component_id)
  const events = [
    eventFor(run, 'plan_started', null, { resolved_order: order }),
    ...steps.map(({ component, action, from }) =>
      eventFor(run, eventOf[action], component.component_id, { from, to: component.version }),
    ),
    failure
      ? eventFor(run, 'run_failed', null, { code: failure.code, ...(failure.details && { reasons: failure.details }) })
      : eventFor(run, 'run_finished', null, {}),
  ]
  try {
    await insertHubEvents(ctx.db, events, ctx.clock.date())
    if (failure) await recordFailure(ctx, run, failure)
  } catch (error) {
    ctx.log.error({ err: error, run: run.id }, 'could not record the result of a module run')
  }
}

async function recordFailure(ctx: Context, run: HubRun, { code, details }: AppError): Promise<void> {
  const { id, module, runtimeScope, actor, device } = run
  await recordAudit(ctx, {
    event: 'module_failed',
    outcome: 'failure',
    actor,
    device,
    details: { module: module.id, runtime_scope: runtimeScope, run: id, code, ...(details && { reasons: details }) },
  })
}

const eventFor = (
  run: HubRun,
  event_type: string,
  component_id: string | null,
  detail: Record<string, unknown>,
): HubEvent => ({
  run_id: run.id,
  module_id: run.module.id,
  component_id,
  runtime_scope: run.runtimeScope,
  event_type,
  actor_user_id: run.actor?.id ?? null,
  detail,
})
