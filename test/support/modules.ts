import type { App } from '../../src/app.ts'
import { type RunRequest, runInstall } from '../../src/hub/run.ts'

const defaults: RunRequest = {
  target: 'core',
  components: [],
  runtime_scope: 'service-core',
  verify_checksum: true,
  repair_missing: false,
}

/** Installs a module while the application runs, as an administrator would. */
export function install(app: Pick<App, 'ctx' | 'installed'>, id: string, request: Partial<RunRequest> = {}) {
  const module = app.installed.modules.find((known) => known.id === id)
  if (!module) throw new Error(`there is no module "${id}"`)
  return runInstall(app.ctx, app.installed, module, { ...defaults, ...request })
}
