import type { App } from '../app.ts'
import type { Surroundings } from './environment.ts'

/** The application without its server, for a command; `adviceWhenBusy` is for those whose service is running. */
export async function openApp(surroundings: Surroundings, adviceWhenBusy: string): Promise<App> {
  const { createApp } = await import('../app.ts')
  const { DataDirectoryBusy } = await import('../db/lock-file.ts')
  try {
    return await createApp(surroundings)
  } catch (error) {
    if (!(error instanceof DataDirectoryBusy)) throw error
    throw new Error(`${error.message}\n${adviceWhenBusy}`)
  }
}
