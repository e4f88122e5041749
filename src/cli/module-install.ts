import type { InstallRequest } from '../hub/plan.ts'
import { command } from './command.ts'
import { moduleNamed, withHub } from './with-hub.ts'

const args = {
  module: { type: 'positional', description: 'id of the module, as `module list` shows it', required: true },
  all: { type: 'boolean', description: 'install all components; default: only core' },
  components: { type: 'string', description: 'install these components, separated by commas' },
  'repair-missing': { type: 'boolean', description: 'repair missing or changed objects' },
  repair: { type: 'boolean', description: 'the same as --repair-missing' },
} as const

export const modulePlan = command({
  meta: { name: 'wardenry module plan', description: 'Show what an installation would do; changes nothing' },
  args,
  run: (given) =>
    withHub(async (app) => {
      const { ctx, hub } = app
      const { dryRunInstall } = await import('../hub/install.ts')
      const request = requestOf(given, ctx.config.RUNTIME_SCOPE)
      const steps = await dryRunInstall(ctx, hub, moduleNamed(app, given.module), request, {})
      process.stdout.write(report(steps.map(({ component, action }) => [component.component_id, action])))
    }),
})

export const moduleInstall = command({
  meta: { name: 'wardenry module install', description: 'Install a module in one transaction' },
  args,
  run: (given) =>
    withHub(async (app) => {
      const { ctx, hub } = app
      const { runInstall } = await import('../hub/install.ts')
      const module = moduleNamed(app, given.module)
      const { steps } = await runInstall(ctx, hub, module, requestOf(given, ctx.config.RUNTIME_SCOPE))
      process.stdout.write(report(steps.map(({ component, action }) => [component.component_id, done[action]])))
      if (!hub.installed.isEnabled(module.id)) {
        const missing = module.switches.filter((name) => !ctx.config[name]).map((name) => `${name}=true`)
        process.stdout.write(`Installing does not enable the module: start the service with ${missing.join(' ')}\n`)
      }
    }),
})

interface InstallOptions {
  all?: boolean | undefined
  components?: string | undefined
  'repair-missing'?: boolean | undefined
  repair?: boolean | undefined
}

function requestOf({ all, components, ...given }: InstallOptions, runtimeScope: string): InstallRequest {
  if (all && components !== undefined) throw new Error('Give --all or --components, not both')
  return {
    target: all ? 'all' : components === undefined ? 'core' : 'selected',
    components: (components ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    runtime_scope: runtimeScope,
    verify_checksum: true,
    repair_missing: given['repair-missing'] ?? given.repair ?? false,
  }
}

const done = {
  install: 'installed',
  upgrade: 'upgraded',
  repair: 'repaired',
  skip: 'already installed',
  drift: 'differs',
} as const

const report = (lines: [string, string][]): string => lines.map(([id, what]) => `${id}: ${what}\n`).join('')
