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

export const runInstall = (
  ctx: Context,
  hub: Hub,
  module: LoadedModule,
  request: InstallRequest,
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
  module: LoadedModule,
  request: UpdateRequest,
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
  module: LoadedModule,
  request: InstallRequest,
  asking: InstallActor,
): Promise<PlanStep[]> =>
  dryRun(ctx, hub, module, request.runtime_scope, asking, (found) => planInstall(module, request, found))

export const dryRunUpdate = (
  ctx: Context,
  hub: Hub,
  module: LoadedModule,
  request: UpdateRequest,
  asking: InstallActor,
): Promise<PlanStep[]> =>
  dryRun(ctx, hub, module, request.runtime_scope, asking, (found) => planUpdate(module, request, found))

async function dryRun(
  ctx: Context,
  { installed }: Hub,
  module: LoadedModule,
  runtimeScope: string,
  { actor, device }: InstallActor,
  plan: (found: PresentComponents) => PlanStep[],
): Promise<PlanStep[]> {
  const found = await findComponents(ctx.db, installed.modules, runtimeScope)
  const steps = plan(found.get(module.id) ?? new Map())
  const details = { module: module.id, runtime_scope: runtimeScope, components: idsOf(steps) }
  await recordAudit(ctx, { event: 'module_dry_run', actor, device, details })
  return steps
}

export const idsOf = (steps: readonly PlanStep[]): string[] => steps.map(({ component }) => component.component_id)
