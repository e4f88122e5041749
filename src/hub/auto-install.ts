import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { second } from '../lib/time.ts'
import type { InstalledModules } from './installed.ts'
import type { Module } from './load-modules.ts'
import type { Target } from './plan.ts'
import { runInstall } from './run.ts'

/** One entry of MODULES_AUTO_INSTALL: `blog`, `blog:all`, `blog:ext-a+ext-b`. */
interface Wish extends Target {
  module: Module
}

/** Installs what MODULES_AUTO_INSTALL names, in the order of the release. What fails ends the start. */
export async function installWanted(ctx: Context, installed: InstalledModules): Promise<void> {
  const wishes = wishesOf(ctx.config.MODULES_AUTO_INSTALL, installed.modules)
  for (const { module, ...target } of wishes) {
    await whenUnlocked(ctx, () =>
      runInstall(ctx, installed, module, {
        ...target,
        runtime_scope: ctx.config.RUNTIME_SCOPE,
        verify_checksum: true,
        repair_missing: false,
      }),
    ).catch((error) => {
      throw new Error(`MODULES_AUTO_INSTALL: ${module.id} could not be installed: ${sentenceOf(error)}`, {
        cause: error,
      })
    })
  }
}

/** What is named, and what that depends on; each after what it depends on. */
export function wishesOf(entries: readonly string[], modules: readonly Module[]): Wish[] {
  if (entries.includes('all')) return modules.map((module) => ({ module, target: 'all', components: [] }))
  const wanted = new Map(entries.map((entry) => wishOf(entry, modules)).map((wish) => [wish.module.id, wish]))
  for (const module of modules.toReversed()) {
    if (!wanted.has(module.id)) continue
    for (const id of module.manifest.depends_on) {
      const needed = modules.find((other) => other.id === id)
      if (needed && !wanted.has(id)) wanted.set(id, { module: needed, target: 'core', components: [] })
    }
  }
  return modules.flatMap(({ id }) => wanted.get(id) ?? [])
}

function wishOf(entry: string, modules: readonly Module[]): Wish {
  const [id, extent] = entry.split(':')
  const module = modules.find((known) => known.id === id)
  if (!module) throw new Error(`MODULES_AUTO_INSTALL: there is no module "${id}"`)
  if (extent === undefined) return { module, target: 'core', components: [] }
  if (extent === 'all') return { module, target: 'all', components: [] }
  return { module, target: 'selected', components: extent.split('+') }
}

/** Nodes that start together want the same: they wait for each other. */
async function whenUnlocked(ctx: Context, run: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + ctx.config.MODULE_RUN_TIMEOUT
  for (;;) {
    try {
      return void (await run())
    } catch (error) {
      const isLocked = error instanceof AppError && error.code === 'INSTALL_LOCKED'
      if (!isLocked || performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, second / 2))
    }
  }
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const details = error instanceof AppError ? error.details : undefined
  return [error.message, ...(details ?? []).map(({ field, message }) => `${field} ${message}`)].join('; ')
}
