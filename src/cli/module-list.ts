import { inColumns } from './columns.ts'
import { command } from './command.ts'
import { withHub } from './with-hub.ts'

export const moduleList = command({
  meta: { name: 'wardenry module list', description: 'List the modules of this release and their status' },
  run: () =>
    withHub(async ({ ctx, hub }) => {
      const { describeModules } = await import('../hub/describe-modules.ts')
      const modules = await describeModules(ctx, hub, ctx.config.RUNTIME_SCOPE)
      const rows = modules.map(({ module_id, module_version, status, enabled, module_description }) => [
        module_id,
        module_version,
        status === 'not_installed' || enabled ? status : `${status}, disabled`,
        module_description,
      ])
      process.stdout.write(inColumns([['MODULE', 'VERSION', 'STATUS', ''], ...rows]))
    }),
})
