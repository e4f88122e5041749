import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { LoadedModule } from './define-module.ts'
import { findComponents } from './find-components.ts'
import type { Hub } from './hub.ts'
import {
  type InstallRequest,
  type PlanStep,
  type PresentComponents,
  planInstall,
  planUpdate,
  type UpdateRequest,
} from './plan.ts'
import { runModule } from './run.ts'
import type { InstallActor, RunResult } from './run-request.ts'

interface Installation {
  module: LoadedModule
  request: InstallRequest
}

interface Update {
  module: LoadedModule
  request: UpdateRequest
}

interface DryRun {
  module: LoadedModule
  runtimeScope: string
  plan(found: PresentComponents): PlanStep[]
}

export const runInstall = (
  ctx: Context,
  hub: Hub,
  { module, request }: Installation,
  asking: InstallActor = {},
): Promise<RunResult> =>
  runModule(ctx, hub, {
    module,
    runtimeScope: request.runtime_scope,
    plan: (found) => planInstall(module, request, found),
    ...asking,
  })

export const runUpdate = (
  ctx: Context,
  hub: Hub,
  { module, request }: Update,
  asking: InstallActor = {},
): Promise<RunResult> =>
  runModule(ctx, hub, {
    module,
    runtimeScope: request.runtime_scope,
    plan: (found) => planUpdate(module, request, found),
    ...asking,
  })

export const dryRunInstall = (
  ctx: Context,
  hub: Hub,
  { module, request }: Installation,
  asking: InstallActor,
): Promise<PlanStep[]> =>
  dryRun(ctx, hub, asking, {
    module,
    runtimeScope: request.runtime_scope,
    plan: (found) => planInstall(module, request, found),
  })

export const dryRunUpdate = (
  ctx: Context,
  hub: Hub,
  { module, request }: Update,
  asking: InstallActor,
): Promise<PlanStep[]> =>
  dryRun(ctx, hub, asking, {
    module,
    runtimeScope: request.runtime_scope,
    plan: (found) => planUpdate(module, request, found),
  })

async function dryRun(
  ctx: Context,
  { installed }: Hub,
  { actor, device }: InstallActor,
  { module, runtimeScope, plan }: DryRun,
): Promise<PlanStep[]> {
  const found = await findComponents(ctx.db, installed.modules, runtimeScope)
  const steps = plan(found.get(module.id) ?? new Map())
  const details = { module: module.id, runtime_scope: runtimeScope, components: idsOf(steps) }
  await recordAudit(ctx, { event: 'module_dry_run', actor, device, details })
  return steps
}

export const idsOf = (steps: readonly PlanStep[]): string[] => steps.map(({ component }) => component.component_id)
