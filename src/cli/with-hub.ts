import type { App } from '../app.ts'
import type { LoadedModule } from '../hub/define-module.ts'
import { openApp } from './open-app.ts'

export async function withHub<Result>(work: (app: App) => Promise<Result>): Promise<Result> {
  const { readEnvironment } = await import('./environment.ts')
  const surroundings = await readEnvironment('command')
  // Automatic installation is off because it would fail on a module that the command is meant to repair.
  const config = { ...surroundings.config, MODULES_AUTO_INSTALL: [], MODULES_AUTO_UPGRADE: false }
  const app = await openApp({ ...surroundings, config }, adviceWhenBusy)
  try {
    return await work(app)
  } finally {
    await app.stop()
  }
}

export function moduleNamed({ hub }: App, id: string): LoadedModule {
  const { modules } = hub.installed
  const found = modules.find((module) => module.id === id)
  if (!found) throw new Error(`There is no module "${id}". Modules: ${modules.map((module) => module.id).join(', ')}`)
  return found
}

const adviceWhenBusy = `If that process is the service, an administrator can install modules without stopping it, with
POST /api/v1/modules/install/<module>/run (docs/modules.md). Otherwise stop it, run this command, and start it again.`
