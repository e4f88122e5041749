import type { Context } from '../context.ts'
import { gaveWay, lacksRight } from '../db/errors.ts'
import type { Db } from '../db/tables.ts'
import { AppError } from '../lib/errors.ts'
import { wantedColumns } from './find-components.ts'
import type { Component } from './load-modules.ts'
import type { Step } from './plan.ts'
import { findColumns, register, runShippedSql } from './queries.ts'
import type { Run } from './run.ts'

export async function applyStep(ctx: Context, run: Run, step: Step): Promise<void> {
  const { component, action } = step
  if (action === 'skip') return
  for (const text of textsOf(step)) {
    await runShippedSql(ctx.db, text).catch((error) => {
      if (gaveWay(error) || lacksRight(error) || performance.now() > run.deadline) throw error
      ctx.log.error({ err: error, module: run.module.id, component: component.component_id }, 'module SQL failed')
      throw failed(component, 'its SQL failed; the service log contains the error', error)
    })
  }
  await assertComplete(ctx.db, component)
  await register(ctx.db, {
    module_id: run.module.id,
    component_id: component.component_id,
    component_type: component.component_type,
    runtime_scope: run.runtimeScope,
    version: component.version,
    checksum: component.checksum,
    status: action === 'repair' ? 'repaired' : 'installed',
    run_id: run.id,
    installed_by: run.actor?.id ?? null,
    installed_at: new Date(ctx.clock.now()),
  })
}

function textsOf({ component, action, from }: Step): string[] {
  const texts: string[] = []
  let version = action === 'upgrade' ? from : null
  for (let next = component.upgradeSql.get(version ?? ''); next; next = component.upgradeSql.get(version)) {
    texts.push(next.sql)
    version = next.to
  }
  return [...texts, component.installSql].filter((text) => text !== '')
}

/** Existing objects of the same name are adopted, unless they differ. */
async function assertComplete(db: Db, component: Component): Promise<void> {
  const wrong = (await findColumns(db, wantedColumns(component))).find(({ exists, fits }) => !exists || !fits)
  if (!wrong) return
  const name = `${wrong.table}.${wrong.column}`
  throw failed(component, wrong.exists ? `${name} exists but is not of type ${wrong.type}` : `${name} was not created`)
}

const failed = ({ component_id }: Component, message: string, cause?: unknown): AppError =>
  new AppError('MODULE_RUN_FAILED', { details: [{ field: `components.${component_id}`, message }], cause })
