import type { App } from '../app.ts'
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
