import { listMetaOf, type paginationOf } from '../lib/paging.ts'
import { iso } from '../lib/time.ts'
import { sqlTextsOf } from './apply-step.ts'
import { idsOf } from './install.ts'
import type { DescribedModule } from './module-status.ts'
import type { PlanAction, PlanStep } from './plan.ts'
import type { RegistryRow } from './queries.ts'
import type { RunResult } from './run-request.ts'

const around = { user_context: { authenticated: true }, meta: { cached: false } }

export const hubResponse = <Data>(data: Data) => ({ success: true as const, data, ...around })

export const listResponse = <Row>(data: Row[], pagination: ReturnType<typeof paginationOf>) => ({
  success: true as const,
  data,
  user_context: around.user_context,
  meta: listMetaOf(pagination),
})

/** Published clients expect exactly these members and no `success`. `plan` is included only on request. */
export const planResponse = (moduleId: string, runtimeScope: string, order: string[], steps?: readonly PlanStep[]) => ({
  data: {
    module_id: moduleId,
    runtime_scope: runtimeScope,
    dry_run: true,
    resolved_order: order,
    ...(steps && { plan: steps.map((step) => ({ ...plannedStep(step), sql: sqlTextsOf(step) })) }),
  },
  ...around,
})

interface PlanResponseInput {
  module_id: string
  runtime_scope: string
  verbose: boolean
}

export function runResponse(
  { module_id, runtime_scope, verbose }: PlanResponseInput,
  { runId, steps, durationMs }: RunResult,
) {
  const done = (action: PlanAction) => idsOf(steps.filter((step) => step.action === action))
  return hubResponse({
    module_id,
    runtime_scope,
    dry_run: false as const,
    resolved_order: idsOf(steps),
    run_id: runId,
    result: {
      installed: done('install'),
      upgraded: done('upgrade'),
      repaired: done('repair'),
      skipped: done('skip'),
      failed: [],
      duration_ms: durationMs,
    },
    ...(verbose && { plan: steps.map(plannedStep) }),
  })
}

const plannedStep = ({ component, action, from }: PlanStep) => ({
  component_id: component.component_id,
  component_type: component.component_type,
  action,
  from_version: from,
  to_version: component.version,
  checksum: component.checksum,
})

/** Repeats members under the names that published clients read. */
export const discovered = (module: DescribedModule) => ({
  ...module,
  description: module.module_description,
  components: module.components.map((component) => ({ ...component, version: component.expected_version })),
})

export const registryRow = (row: RegistryRow) => ({
  ...row,
  installed_at: iso(row.installed_at),
  updated_at: iso(row.updated_at),
})
