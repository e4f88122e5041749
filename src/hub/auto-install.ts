import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { second } from '../lib/time.ts'
import type { LoadedModule } from './define-module.ts'
import { findComponents, findPresent, type ModuleStates } from './find-components.ts'
import type { Hub } from './hub.ts'
import { runInstall, runUpdate } from './install.ts'
import { type InstallTarget, installTargetsOf } from './install-targets.ts'
import { type InstallRequest, type PlanStep, planInstall, planUpdate } from './plan.ts'

export async function installAtStart(ctx: Context, hub: Hub): Promise<void> {
  const { MODULES_AUTO_INSTALL, MODULES_AUTO_UPGRADE } = ctx.config
  for (const requested of installTargetsOf(MODULES_AUTO_INSTALL, hub.installed.modules))
    await installTarget(ctx, hub, requested)
  let found = await findAll(ctx, hub)
  reportLost(ctx, found)
  if (!MODULES_AUTO_UPGRADE) return
  for (const module of hub.installed.modules) {
    const isUpgraded = await upgrade(ctx, hub, { module, found })
    // The queries for the components of all modules are slow, so they run again only after a change.
    if (isUpgraded) found = await findAll(ctx, hub)
  }
}

const findAll = (ctx: Context, { installed }: Hub): Promise<ModuleStates> =>
  findComponents(ctx.db, installed.modules, ctx.config.RUNTIME_SCOPE)

/** A missing index, function or trigger is logged but does not prevent startup. */
function reportLost({ log }: Context, found: ModuleStates): void {
  const lost = [...found].flatMap(([id, components]) =>
    [...components].flatMap(([component, { row, intact }]) => (row && !intact ? [`${id}/${component}`] : [])),
  )
  if (lost.length > 0)
    log.error({ components: lost }, 'indexes, functions or triggers of modules are missing: run "wardenry doctor"')
}

async function installTarget(ctx: Context, hub: Hub, { module, ...target }: InstallTarget): Promise<void> {
  const request: InstallRequest = {
    ...target,
    runtime_scope: ctx.config.RUNTIME_SCOPE,
    verify_checksum: true,
    repair_missing: false,
  }
  const found = await findPresent(ctx.db, hub.installed.modules, request.runtime_scope)
  const steps = explained(module, () => planInstall(module, request, found.get(module.id) ?? new Map()))
  if (isIdle(steps)) return
  await whenUnlocked(ctx, module, () => runInstall(ctx, hub, { module, request }))
}

/**
 * Upgrades components that are older than their manifest. The operator must resolve other differences. Returns whether
 * there were any to upgrade.
 */
async function upgrade(
  ctx: Context,
  hub: Hub,
  { module, found }: { module: LoadedModule; found: ModuleStates },
): Promise<boolean> {
  const request = { runtime_scope: ctx.config.RUNTIME_SCOPE, verify_checksum: false }
  const present = found.get(module.id)
  const components = [...(present ?? [])].flatMap(([id, { row }]) => (row ? [id] : []))
  if (!present || !components.includes('core')) return false
  if (isIdle(planUpdate(module, { ...request, components }, present))) return false
  await whenUnlocked(ctx, module, () => runUpdate(ctx, hub, { module, request: { ...request, components } }))
  return true
}

const isIdle = (steps: readonly PlanStep[]): boolean => steps.every(({ action }) => action === 'skip')

/** Waits while another node that started concurrently is installing modules. */
async function whenUnlocked(ctx: Context, module: LoadedModule, run: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + ctx.config.MODULE_RUN_TIMEOUT
  for (;;) {
    try {
      return void (await run())
    } catch (error) {
      const isLocked = error instanceof AppError && error.code === 'INSTALL_LOCKED'
      if (!isLocked || performance.now() > deadline) throw explain(module, error)
      await new Promise((resolve) => setTimeout(resolve, second / 2))
    }
  }
}

function explained<Result>(module: LoadedModule, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw explain(module, error)
  }
}

function explain(module: LoadedModule, error: unknown): Error {
  const details = error instanceof AppError ? (error.details ?? []) : []
  const reasons = details.map(({ field, message }) => `${field} ${message}`)
  const sentence = [error instanceof Error ? error.message : String(error), ...reasons].join('; ')
  return new Error(`Could not install the module ${module.id} at start: ${sentence}`, { cause: error })
}
