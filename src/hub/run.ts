import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { isRetryableConflict } from '../db/errors.ts'
import { AppError, type FieldProblem } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { second } from '../lib/time.ts'
import { applyStep } from './apply-step.ts'
import type { LoadedModule } from './define-module.ts'
import { findComponents, isComplete, type ModuleStates } from './find-components.ts'
import type { Hub } from './hub.ts'
import { createHubTables, needsOwner } from './hub-tables.ts'
import { underLock } from './lock.ts'
import type { PlanStep } from './plan.ts'
import { lockBriefly } from './queries.ts'
import { recordRun } from './record-run.ts'
import type { HubRun, RunRequest, RunResult } from './run-request.ts'

/** Runs one plan at a time, in the same transaction as the registry changes. A failed or killed run is rolled back. */
export async function runModule(ctx: Context, hub: Hub, order: RunRequest): Promise<RunResult> {
  const started = performance.now()
  const run: HubRun = { ...order, id: newId(), deadline: started + ctx.config.MODULE_RUN_TIMEOUT }
  await assertPlannable(ctx, hub, run)
  await createHubTables(ctx.db)
  const steps = await commitPlan(ctx, hub, run)
  await recordRun(ctx, run, steps)
  await hub.installed.refreshAll()
  return { runId: run.id, steps, durationMs: Math.round(performance.now() - started) }
}

async function assertPlannable(ctx: Context, hub: Hub, { module, plan, runtimeScope }: HubRun): Promise<void> {
  const found = await findComponents(ctx.db, hub.installed.modules, runtimeScope)
  plan(found.get(module.id) ?? new Map())
}

async function commitPlan(ctx: Context, hub: Hub, run: HubRun): Promise<PlanStep[]> {
  try {
    return await underLock(ctx, hub, run, (attempt) =>
      untilFree(run, () => attempt((tx) => takeSteps({ ...ctx, db: tx }, hub, run))),
    )
  } catch (error) {
    if (error instanceof AppError && error.code === 'INSTALL_LOCKED') throw error
    const failure = asRunError(ctx, run, error)
    await recordRun(ctx, run, [], failure)
    throw failure
  }
}

/** If a table is in use, rolls back and retries, because a waiting run would block other requests for the table. */
async function untilFree(run: HubRun, work: () => Promise<PlanStep[]>): Promise<PlanStep[]> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const pauseMs = Math.random() * second
      if (!isRetryableConflict(error) || performance.now() + pauseMs > run.deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

async function takeSteps(ctx: Context, hub: Hub, run: HubRun): Promise<PlanStep[]> {
  await lockBriefly(ctx.db)
  const steps = decide(run, await findComponents(ctx.db, hub.installed.modules, run.runtimeScope))
  for (const step of steps) await applyStep(ctx, run, step)
  await recordSuccess(ctx, run, steps)
  if (performance.now() > run.deadline) throw runFailed('MODULE_RUN_TIMEOUT was exceeded')
  return steps
}

function decide({ module, plan }: HubRun, found: ModuleStates): PlanStep[] {
  const missing = missingDependencies(module, found)
  if (missing.length > 0) {
    const details = missing.map((id) => ({ field: 'depends_on', message: id }))
    throw new AppError('MODULE_DEPENDENCY_ERROR', { details })
  }
  const steps = plan(found.get(module.id) ?? new Map())
  const drifted = steps.filter(({ action }) => action === 'drift').map(driftOf)
  if (drifted.length > 0) throw new AppError('MODULE_DRIFT', { details: drifted })
  return steps
}

export const missingDependencies = ({ manifest }: LoadedModule, found: ModuleStates): string[] =>
  manifest.depends_on.filter((id) => !isComplete(found.get(id)?.get('core')))

const driftOf = ({ component }: PlanStep): FieldProblem => ({
  field: `components.${component.component_id}`,
  message: 'differs from the installed version; set repair_missing to repair it',
})

async function recordSuccess(ctx: Context, run: HubRun, steps: readonly PlanStep[]): Promise<void> {
  const { module, actor, device, runtimeScope } = run
  const taken = steps.filter(({ action }) => action !== 'skip')
  if (taken.length === 0) return
  const actions = Object.fromEntries(taken.map(({ component, action }) => [component.component_id, action]))
  await recordAudit(ctx, {
    event: 'module_installed',
    actor,
    device,
    details: { module: module.id, runtime_scope: runtimeScope, run: run.id, actions },
  })
}

function asRunError(ctx: Context, run: HubRun, error: unknown): AppError {
  if (error instanceof AppError) return error
  const missingRight = needsOwner(error)
  if (missingRight) return missingRight
  ctx.log.error({ err: error, module: run.module.id, run: run.id }, 'could not install a module')
  if (isRetryableConflict(error)) return runFailed('its tables were locked by other transactions', error)
  return performance.now() > run.deadline ? runFailed('MODULE_RUN_TIMEOUT was exceeded', error) : runFailed('', error)
}

const runFailed = (reason: string, cause?: unknown): AppError =>
  new AppError('MODULE_RUN_FAILED', { ...(reason && { details: [{ field: 'run', message: reason }] }), cause })
