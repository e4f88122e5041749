import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/tables.ts'
import type { Device } from '../http/device.ts'
import { AppError, type FieldProblem } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { applyStep } from './apply-step.ts'
import { findComponents } from './find-components.ts'
import { createHubTables } from './hub-tables.ts'
import type { InstalledModules } from './installed.ts'
import type { Module } from './load-modules.ts'
import { installLocked, underLock } from './lock.ts'
import { type ActionOptions, planSteps, resolveOrder, type Step, type Target } from './plan.ts'
import { insertHubEvents, tryAdvisoryLock } from './queries.ts'

export interface RunRequest extends Target, ActionOptions {
  runtime_scope: string
}

/** Who runs it: an administrator, or nobody but the service itself. */
export interface Runner {
  actor?: { id: string; user_type: string }
  device?: Device
}

export interface Run {
  id: string
  module: Module
  request: RunRequest
  runner: Runner
}

export interface RunResult {
  runId: string
  order: string[]
  steps: Step[]
  durationMs: number
}

/**
 * Installs a module: one run at a time, in one transaction that holds everything, registry included. Whatever fails or is
 * killed leaves what was there before.
 */
export async function runInstall(
  ctx: Context,
  installed: InstalledModules,
  module: Module,
  request: RunRequest,
  runner: Runner = {},
): Promise<RunResult> {
  const started = performance.now()
  const run = { id: newId(), module, request, runner }
  await createHubTables(ctx.db)
  const steps = await underLock(ctx, run.id, () => carryOut(ctx, installed, run))
  return {
    runId: run.id,
    order: steps.map(({ component }) => component.component_id),
    steps,
    durationMs: Math.round(performance.now() - started),
  }
}

async function carryOut(ctx: Context, installed: InstalledModules, run: Run): Promise<Step[]> {
  try {
    const steps = await ctx.db.transaction().execute((db) => installAll(ctx, installed.modules, run, db))
    await report(ctx, run, steps)
    await installed.refreshAll()
    return steps
  } catch (error) {
    await reportFailure(ctx, run, error)
    throw error
  }
}

async function installAll(ctx: Context, modules: readonly Module[], run: Run, db: Db): Promise<Step[]> {
  // The lease alone would not do: clocks and pauses can outlast it.
  if (!(await tryAdvisoryLock(db))) throw installLocked(new Date(ctx.clock.now()))
  const { module, request } = run
  const found = await findComponents(db, modules, request.runtime_scope)
  const missing = module.manifest.depends_on.filter((id) => !found.get(id)?.get('core')?.row)
  if (missing.length > 0) throw new AppError('MODULE_DEPENDENCY_ERROR', { details: problems('depends_on', missing) })
  const own = found.get(module.id) ?? new Map()
  const steps = planSteps(module, resolveOrder(module, request, own), own, request)
  const drifted = steps.filter(({ action }) => action === 'drift')
  if (drifted.length > 0) throw new AppError('MODULE_DRIFT', { details: drifted.map(driftOf) })
  for (const step of steps) await applyStep(ctx, db, run, step)
  return steps
}

const problems = (field: string, messages: readonly string[]): FieldProblem[] =>
  messages.map((message) => ({ field, message }))

const driftOf = ({ component }: Step): FieldProblem => ({
  field: `components.${component.component_id}`,
  message: 'is not what was installed: repair_missing puts it right',
})

const eventOf = {
  install: 'component_installed',
  upgrade: 'component_upgraded',
  repair: 'component_repaired',
  skip: 'component_skipped',
  drift: 'component_skipped',
} as const

/** Written after the run: so a failed one leaves its trace as well. */
async function report(ctx: Context, run: Run, steps: readonly Step[]): Promise<void> {
  const order = steps.map(({ component }) => component.component_id)
  await insertHubEvents(
    ctx.db,
    [
      eventFor(run, 'plan_started', null, { resolved_order: order }),
      ...steps.map(({ component, action, from }) =>
        eventFor(run, eventOf[action], component.component_id, { from, to: component.version }),
      ),
      eventFor(run, 'run_finished', null, {}),
    ],
    new Date(ctx.clock.now()),
  )
  const actions = Object.fromEntries(steps.map(({ component, action }) => [component.component_id, action]))
  await recordAudit(ctx, ctx.db, { event: 'module_installed', ...run.runner, details: { ...detailsOf(run), actions } })
}

async function reportFailure(ctx: Context, run: Run, error: unknown): Promise<void> {
  const code = error instanceof AppError ? error.code : 'INTERNAL_ERROR'
  const now = new Date(ctx.clock.now())
  try {
    await insertHubEvents(
      ctx.db,
      [eventFor(run, 'plan_started', null, {}), eventFor(run, 'run_failed', null, { code })],
      now,
    )
    const details = { ...detailsOf(run), code }
    await recordAudit(ctx, ctx.db, { event: 'module_failed', outcome: 'failure', ...run.runner, details })
  } catch (failure) {
    ctx.log.error({ err: failure }, 'the failure of a run could not be recorded')
  }
}

const detailsOf = ({ id, module, request }: Run) => ({
  run: id,
  module: module.id,
  target: request.target,
  runtime_scope: request.runtime_scope,
})

const eventFor = (run: Run, event_type: string, component_id: string | null, detail: Record<string, unknown>) => ({
  run_id: run.id,
  module_id: run.module.id,
  component_id,
  runtime_scope: run.request.runtime_scope,
  event_type,
  actor_user_id: run.runner.actor?.id ?? null,
  detail,
})
