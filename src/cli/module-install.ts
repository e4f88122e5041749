import type { InstallRequest } from '../hub/plan.ts'
import { command } from './command.ts'
import { moduleNamed, withHub } from './with-hub.ts'

const args = {
  module: { type: 'positional', description: 'id of the module, as shown by `module list`', required: true },
  all: { type: 'boolean', description: 'install all components; default: only core' },
  components: { type: 'string', description: 'install these components, separated by commas' },
  'repair-missing': { type: 'boolean', description: 'repair missing or changed objects' },
} as const

export const modulePlan = command({
  meta: { name: 'wardenry module plan', description: 'Show the installation plan; changes nothing' },
  args,
  run: (input) =>
    withHub(async (app) => {
      const { ctx, hub } = app
      const { dryRunInstall } = await import('../hub/install.ts')
      const request = requestOf(input, ctx.config.RUNTIME_SCOPE)
      const steps = await dryRunInstall(ctx, hub, { module: moduleNamed(app, input.module), request }, {})
      process.stdout.write(report(steps.map(({ component, action }) => [component.component_id, action])))
    }),
})

export const moduleInstall = command({
  meta: { name: 'wardenry module install', description: 'Install a module in one transaction' },
  args,
  run: (input) =>
    withHub(async (app) => {
      const { ctx, hub } = app
      const { runInstall } = await import('../hub/install.ts')
      const module = moduleNamed(app, input.module)
      const { steps } = await runInstall(ctx, hub, { module, request: requestOf(input, ctx.config.RUNTIME_SCOPE) })
      process.stdout.write(report(steps.map(({ component, action }) => [component.component_id, done[action]])))
      if (!hub.installed.isEnabled(module.id)) {
        const missing = module.switches.filter((name) => !ctx.config[name]).map((name) => `${name}=true`)
        process.stdout.write(
          `Installing a module does not enable it: set ${missing.join(' ')}, for example with "wardenry settings set"\n`,
        )
      }
    }),
})

interface InstallOptions {
  all: boolean | undefined
  components: string | undefined
  'repair-missing'?: boolean | undefined
}

function requestOf({ all, components, ...input }: InstallOptions, runtimeScope: string): InstallRequest {
  if (all && components !== undefined) throw new Error('Use either --all or --components')
  return {
    target: all ? 'all' : components === undefined ? 'core' : 'selected',
    components: (components ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    runtime_scope: runtimeScope,
    verify_checksum: true,
    repair_missing: input['repair-missing'] ?? false,
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
