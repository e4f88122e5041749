import { inColumns } from './columns.ts'
import { command } from './command.ts'
import { moduleNamed, withHub } from './with-hub.ts'

export const moduleStatusCommand = command({
  meta: { name: 'wardenry module status', description: 'Show a module and its components' },
  args: { module: { type: 'positional', description: 'id of the module, as shown by `module list`', required: true } },
  run: ({ module }) =>
    withHub(async (app) => {
      const { ctx, hub } = app
      const { moduleStatus } = await import('../hub/describe-modules.ts')
      const found = await moduleStatus(ctx, hub, moduleNamed(app, module).id, ctx.config.RUNTIME_SCOPE)
      const missing = found.missing_dependencies.join(', ')
      const rows = found.components.map(({ component_id, status, installed_version, expected_version, action }) => [
        component_id,
        status,
        installed_version ?? '–',
        expected_version,
        action,
      ])
      process.stdout.write(
        `${found.name} (${found.module_id}): ${found.status}, ${found.enabled ? 'enabled' : 'disabled'}\n` +
          `${missing && `Requires: ${missing}\n`}\n` +
          inColumns([['COMPONENT', 'STATUS', 'INSTALLED', 'SHIPPED', 'NEXT RUN'], ...rows]),
      )
    }),
})
