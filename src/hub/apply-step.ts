import type { Context } from '../context.ts'
import { isRetryableConflict, lacksRight } from '../db/errors.ts'
import type { Db } from '../db/tables.ts'
import { AppError } from '../lib/errors.ts'
import type { LoadedComponent } from './define-module.ts'
import { wantedColumns } from './find-components.ts'
import type { PlanStep } from './plan.ts'
import { findColumns, registerComponents, runShippedSql } from './queries.ts'
import type { HubRun } from './run-request.ts'

export async function applyStep(ctx: Context, run: HubRun, step: PlanStep): Promise<void> {
  const { component, action } = step
  if (action === 'skip') return
  for (const text of sqlTextsOf(step)) {
    await runShippedSql(ctx.db, text).catch((error) => {
      if (isRetryableConflict(error) || lacksRight(error) || performance.now() > run.deadline) throw error
      ctx.log.error({ err: error, module: run.module.id, component: component.component_id }, 'module SQL failed')
      throw failed(component, 'its SQL failed; the service log contains the error', error)
    })
  }
  await assertComplete(ctx.db, component)
  await registerComponents(ctx.db, {
    module_id: run.module.id,
    component_id: component.component_id,
    component_type: component.component_type,
    runtime_scope: run.runtimeScope,
    version: component.version,
    checksum: component.checksum,
    status: action === 'repair' ? 'repaired' : 'installed',
    run_id: run.id,
    installed_by: run.actor?.id ?? null,
    installed_at: ctx.clock.date(),
  })
}

export function sqlTextsOf({ component, action, from }: PlanStep): string[] {
  if (action === 'skip' || action === 'drift') return []
  const texts: string[] = []
  let version = action === 'upgrade' ? from : null
  for (let next = component.upgradeSql.get(version ?? ''); next; next = component.upgradeSql.get(version)) {
    texts.push(next.sql)
    version = next.to
  }
  return [...texts, component.installSql].filter((text) => text !== '')
}

/** If a table already exists, the SQL keeps it, so the columns are compared with the manifest. */
async function assertComplete(db: Db, component: LoadedComponent): Promise<void> {
  const wrong = (await findColumns(db, wantedColumns(component))).find(({ exists, fits }) => !exists || !fits)
  if (!wrong) return
  const name = `${wrong.table}.${wrong.column}`
  throw failed(component, wrong.exists ? `${name} exists but is not of type ${wrong.type}` : `${name} was not created`)
}

const failed = ({ component_id }: LoadedComponent, message: string, cause?: unknown): AppError =>
  new AppError('MODULE_RUN_FAILED', { details: [{ field: `components.${component_id}`, message }], cause })
