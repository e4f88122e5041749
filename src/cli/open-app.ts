import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import type { CommandEnvironment } from './environment.ts'

export async function openApp(surroundings: CommandEnvironment, adviceWhenBusy: string): Promise<App> {
  const { createApp } = await import('../app.ts')
  return openWhenFree(() => createApp(surroundings), adviceWhenBusy)
}

export async function openWhenFree<Opened>(open: () => Promise<Opened>, adviceWhenBusy: string): Promise<Opened> {
  const { DataDirectoryBusy } = await import('../db/lock-file.ts')
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof DataDirectoryBusy)) throw error
    throw new Error(`${error.message}\n${adviceWhenBusy}`)
  }
}

/** Starts neither the server nor the jobs, because jobs would deliver messages left in a restored database. */
export async function openContext(
  { config, log }: CommandEnvironment,
  adviceWhenBusy: string,
): Promise<{ ctx: Context; close(): Promise<void> }> {
  const { createContext } = await import('../create-context.ts')
  const { bringUpToDate, openDatabase } = await import('../db/open-database.ts')
  const { loadModules } = await import('../hub/load-modules.ts')
  const { allModules } = await import('../modules/external.ts')
  const database = await openWhenFree(() => openDatabase(config, log), adviceWhenBusy)
  const closers: (() => unknown)[] = [() => database.close()]
  const close = async () => {
    for (const end of closers.toReversed()) await end()
  }
  try {
    await bringUpToDate(config, log, database)
    const { ctx } = await createContext(
      { config, log, database, modules: loadModules(await allModules(config)) },
      closers,
    )
    return { ctx, close }
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}
