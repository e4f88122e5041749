import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { pageOf, paginationOf } from '../lib/paging.ts'
import type { LoadedModule } from './define-module.ts'
import { findComponents } from './find-components.ts'
import { type Hub, hubVersion } from './hub.ts'
import { type DescribedModule, describeModule } from './module-status.ts'
import { countRegistered, findHubTables, findRegisteredOf, isHubComplete, type RegistryRow } from './queries.ts'

export function getModule({ installed }: Hub, id: string): LoadedModule {
  const module = installed.modules.find((known) => known.id === id)
  if (!module) throw new AppError('NOT_FOUND')
  return module
}

export const describeModules = async (ctx: Context, hub: Hub, runtimeScope: string): Promise<DescribedModule[]> =>
  hub.installed.modules.map(await readDescriptions(ctx, hub, runtimeScope))

/** Reads all modules because a module's state depends on other modules. */
async function readDescriptions(ctx: Context, { installed }: Hub, runtimeScope: string) {
  const found = await findComponents(ctx.db, installed.modules, runtimeScope)
  return (module: LoadedModule) =>
    describeModule(module, found, { runtimeScope, enabled: installed.isEnabled(module.id) })
}

export async function moduleStatus(ctx: Context, hub: Hub, id: string, runtimeScope: string): Promise<DescribedModule> {
  const module = getModule(hub, id)
  return (await readDescriptions(ctx, hub, runtimeScope))(module)
}

export async function registryOf(
  ctx: Context,
  hub: Hub,
  id: string,
  { runtime_scope, ...paging }: { runtime_scope: string; page?: number; limit?: number },
): Promise<{ rows: RegistryRow[]; pagination: ReturnType<typeof paginationOf> }> {
  const module = getModule(hub, id)
  const page = pageOf(paging)
  if (!(await isHubComplete(ctx.db))) return { rows: [], pagination: paginationOf(page, 0) }
  const total = await countRegistered(ctx.db, module.id, runtime_scope)
  return {
    rows: await findRegisteredOf(ctx.db, module.id, runtime_scope, page),
    pagination: paginationOf(page, total),
  }
}

export async function hubStatus(ctx: Context, hub: Hub) {
  const tables = await findHubTables(ctx.db)
  return {
    installed: tables.every(({ exists }) => exists),
    tables,
    runtime_scope: ctx.config.RUNTIME_SCOPE,
    version: hubVersion,
    locked: await hub.isLocked('moduleRun'),
  }
}
