import { fitted, inColumns, printable, printableJson } from '../columns.ts'
import { command } from '../command.ts'
import { applicationPlace, requestFor, withApplications } from './with-applications.ts'

export const applicationList = command({
  meta: { name: 'wardenry application list', description: 'List applications, their state and their addresses' },
  args: { json: { type: 'boolean', description: 'print JSON, as GET /auth/admin/applications does' } },
  run: ({ json }) =>
    withApplications(async (ctx) => {
      const { listApplications } = await import('../../applications/show-application.ts')
      const applications = await listApplications(ctx)
      if (json) return void process.stdout.write(printableJson({ applications }))
      const rows = applications.map(({ key, enabled, deleted_at, kind, name, return_addresses }) => [
        key,
        deleted_at ? 'deleted' : enabled ? 'enabled' : 'disabled',
        kind,
        fitted(printable(name), 30),
        printable(return_addresses.join(',')),
      ])
      process.stdout.write(inColumns([['KEY', 'STATE', 'KIND', 'NAME', 'RETURN ADDRESSES'], ...rows]))
    }),
})

export const applicationShow = command({
  meta: { name: 'wardenry application show', description: 'Print an application as JSON' },
  args: applicationPlace,
  run: ({ application }) =>
    withApplications(async (ctx) => {
      const { getApplication } = await import('../../applications/show-application.ts')
      const { id } = await requestFor(ctx, application)
      process.stdout.write(printableJson(await getApplication(ctx, id)))
    }),
})
