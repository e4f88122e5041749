import { aboutUser } from '../../admin/locked-target.ts'
import { findUserOrDeleted } from '../../admin/queries.ts'
import type { Context } from '../../context.ts'
import { staffWith, staffWithReauth } from '../../http/access/access.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { AppError } from '../../lib/errors.ts'
import { looksLikeId } from '../../lib/ids.ts'
import { iso } from '../../lib/time.ts'
import { findRolesOf } from '../../users/role-queries.ts'
import { listApplicationRoles } from '../list-application-roles.ts'
import * as schemas from './schemas.ts'
import { setRolesOf } from './set-roles.ts'

const path = '/auth/admin/users/:user_id/roles'

export const userRoleRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      '/auth/admin/application-roles',
      { schema: schemas.ListApplicationRolesRoute, config: { access: staffWith('users:read'), limit: 'admin' } },
      async () => ({ success: true as const, data: { roles: await listApplicationRoles(ctx) } }),
    )
    http.get(
      path,
      { schema: schemas.ListUserRolesRoute, config: { access: staffWith('users:read'), limit: 'admin' } },
      async ({ params }) => listed(ctx, params.user_id),
    )
    http.put(
      path,
      { schema: schemas.SetUserRolesRoute, config: { access: staffWithReauth('users:set_role'), limit: 'admin' } },
      async (request) => {
        await setRolesOf(ctx, { ...aboutUser(request, request.params), session: request.auth }, request.body)
        return listed(ctx, request.params.user_id)
      },
    )
  }

async function listed(ctx: Context, userId: string) {
  if (!looksLikeId(userId) || !(await findUserOrDeleted(ctx, userId))) throw new AppError('NOT_FOUND')
  const roles = (await findRolesOf(ctx.db, userId)).map(({ application, id, key, name, ...grant }) => ({
    ...{ application, role: key, name, role_id: id, granted_by: grant.granted_by },
    granted_at: iso(grant.granted_at),
    until: grant.until && iso(grant.until),
  }))
  return { success: true as const, data: { roles } }
}
