import { signedInAdmin } from '../../admin/locked-target.ts'
import type { Context } from '../../context.ts'
import { staffReading, staffWith } from '../../http/access/access.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { AppError } from '../../lib/errors.ts'
import { iso } from '../../lib/time.ts'
import { movePermission } from './move-permission.ts'
import { ListPermissionsRoute, MovePermissionRoute } from './permission-schemas.ts'
import { findPermissions, type PermissionFilter } from './queries.ts'

const base = '/auth/admin/permissions'

export const permissionRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      base,
      { schema: ListPermissionsRoute, config: { access: staffReading('applications:read'), limit: 'admin' } },
      async ({ query }) => ({ success: true as const, data: { permissions: await listPermissions(ctx, query) } }),
    )
    http.put(
      `${base}/:permission`,
      { schema: MovePermissionRoute, config: { access: staffWith('applications:manage'), limit: 'admin' } },
      async (request) => {
        const { permission } = request.params
        const caller = { principal: signedInAdmin(request), session: request.auth }
        await movePermission(ctx, caller, { permission, application: request.body.application })
        const [data] = await listPermissions(ctx, { permission })
        if (!data) throw new AppError('NOT_FOUND')
        return { success: true as const, data }
      },
    )
  }

async function listPermissions({ db }: Pick<Context, 'db'>, filter: PermissionFilter) {
  return (await findPermissions(db, filter)).map(({ application_id, application_key, retired_at, ...row }) => ({
    ...row,
    application: { id: application_id, key: application_key },
    retired_at: retired_at && iso(retired_at),
  }))
}
