import type { Context } from '../../../context.ts'
import { isSuperadmin } from '../../../http/access/permissions.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { AppError } from '../../../lib/errors.ts'
import { ListApplicationRolesRoute } from '../../../roles/grants/schemas.ts'
import { CreateRoleRoute, DeleteRoleRoute, ListRolesRoute, UpdateRoleRoute } from '../../../roles/schemas.ts'
import { type AdminVisit, adminPages } from '../../../ui/console/admin-visit.ts'
import { addressOf } from '../../../ui/console/pager.ts'
import { call } from '../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { keyFromName } from '../shared/key-from-name.ts'
import { mayPreselect } from '../users/new/preselect.ts'
import { usersPath } from '../users/shared.ts'
import { deleteRolePage } from './delete/view.ts'
import { rolesPage } from './list/view.ts'
import {
  deleteRolePath,
  type EditableRole,
  type ListedRole,
  newRolePath,
  rolePath,
  rolesPath,
  type TypedRole,
} from './paths.ts'
import { isSensitive, permissionField } from './permission-fields.ts'
import { declarePermissionPages } from './permissions/routes.ts'
import { newRolePage, rolePage } from './role/view.ts'
import * as schemas from './schemas.ts'

const one = `${rolesPath}/:role_id`

type Pages = ReturnType<typeof adminPages>

export const rolePageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, rolesPath, ({ params, url }) => {
      const { role_id: id } = params as { role_id?: string }
      return id === undefined ? (url.split('?')[0] ?? rolesPath) : rolePath(id)
    })
    pages.get(rolesPath, { schema: schemas.RolesPageRoute, config: readByAnyone }, async (member, { query }) => {
      const { roles } = await member.read(call(ListRolesRoute))
      const { roles: applicationRoles } = await member.read(call(ListApplicationRolesRoute))
      const data = {
        ...{ area: member.area, roles, applicationRoles, mayEdit: mayEdit(ctx, member), done: query.done },
        maySeePermissions: member.can('applications:read'),
      }
      return member.show((page) => rolesPage(data, page))
    })
    declareNew(ctx, pages)
    declarePermissionPages(pages)
    declareOne(ctx, pages)
    declareDelete(ctx, pages)
  }

function declareNew(ctx: Context, pages: Pages): void {
  const { create } = schemas.roleFormRoutes(ctx.staff.permissionsOf())
  const showNew = (
    member: AdminVisit,
    state: { typed?: TypedRole; rejection?: ApiRejection } = {},
    status?: number,
  ) => {
    const data = { area: member.area, form: member.sign(newRolePath), offered: offeredTo(ctx, member), ...state }
    return member.show((page) => newRolePage(data, page), status)
  }
  pages.get(newRolePath, { schema: schemas.NewRolePageRoute, config: readByAnyone }, (member) => showNew(member))
  pages.post(newRolePath, { schema: create, config: postedByAnyone }, async (member, request) => {
    const { form_token: formToken, ...typed } = request.body as TypedRole
    const key = typed.key?.trim() || keyFromName(typed.name ?? '')
    const body = { ...roleBody(ctx, typed), key }
    const response = await member.submit(newRolePath, formToken, call(CreateRoleRoute, { body }))
    if (response.ok) return member.go(`${rolePath(response.body.data.id ?? '')}?done=created`)
    // The proposed key is shown, so that it can be changed.
    const isKeyRejected = response.rejection.details?.some(({ field }) => field === 'key')
    const shown = isKeyRejected ? { ...typed, key } : typed
    return showNew(member, { typed: shown, rejection: response.rejection }, response.status)
  })
}

function declareOne(ctx: Context, pages: Pages): void {
  const { update } = schemas.roleFormRoutes(ctx.staff.permissionsOf())
  pages.get(one, { schema: schemas.RolePageRoute, config: readByAnyone }, (member, { params, query }) =>
    showOne(ctx, member, params.role_id, { done: query.done }),
  )
  pages.post(one, { schema: update, config: postedByAnyone }, async (member, request) => {
    const { form_token: formToken, expected_updated_at, ...typed } = request.body as TypedRole
    const { role_id: id } = request.params
    const body = { ...roleBody(ctx, typed), expected_updated_at }
    const response = await member.submit(
      rolePath(id),
      formToken,
      call(UpdateRoleRoute, { params: { role_id: id }, body }),
    )
    if (response.ok) return member.go(`${rolePath(id)}?done=changed`)
    const { rejection, status } = response
    // After a conflict, the form shows the current values so that the user can check them before replacing them.
    const shown = rejection.code === 'EDIT_CONFLICT' ? undefined : { ...typed, expected_updated_at }
    return showOne(ctx, member, id, { typed: shown, rejection, status })
  })
}

function declareDelete(ctx: Context, pages: Pages): void {
  const show = async (member: AdminVisit, id: string, response?: { status: number; rejection: ApiRejection }) => {
    const role = await readRole(ctx, member, id)
    const data = { area: member.area, role, form: member.sign(deleteRolePath(id)), rejection: response?.rejection }
    return member.show((page) => deleteRolePage(data, page), response?.status)
  }
  const path = `${one}/delete`
  pages.get(path, { schema: schemas.DeleteRolePageRoute, config: readByAnyone }, (member, { params }) =>
    show(member, params.role_id),
  )
  pages.post(path, { schema: schemas.DeleteRoleFormRoute, config: postedByAnyone }, async (member, request) => {
    const { role_id: id } = request.params
    const remove = call(DeleteRoleRoute, { params: { role_id: id } })
    const response = await member.submit(deleteRolePath(id), request.body.form_token, remove)
    return response.ok ? member.go(`${rolesPath}?done=deleted`) : show(member, id, response)
  })
}

const roleBody = ({ staff }: Context, typed: TypedRole) => ({
  name: typed.name ?? '',
  description: typed.description ?? '',
  permissions: staff.permissionsOf().filter((permission) => typed[permissionField(permission)] !== undefined),
})

/**
 * Users give only permissions that they have, and only superadmins give sensitive ones. Sensitive permissions that the
 * role has, `present`, can be removed.
 */
function offeredTo({ staff }: Context, { profile: { user } }: AdminVisit, present: readonly string[] = []): string[] {
  const own = staff.permissionsOf(user.user_type)
  const mayGive = (permission: string) => isSuperadmin(user) || !isSensitive(permission) || present.includes(permission)
  return staff.permissionsOf().filter((permission) => own.includes(permission) && mayGive(permission))
}

/** Nobody changes their own role, or one with permissions that they lack. */
const mayEdit =
  ({ staff }: Context, { profile: { user } }: AdminVisit) =>
  ({ key, built_in }: ListedRole): boolean =>
    !built_in && key !== user.user_type && staff.covers(user.user_type, key)

async function readRole(ctx: Context, member: AdminVisit, id: string): Promise<EditableRole> {
  const { roles } = await member.read(call(ListRolesRoute))
  const role = roles.find((listed): listed is EditableRole => listed.id === id)
  if (!role) throw new AppError('NOT_FOUND')
  if (!mayEdit(ctx, member)(role)) throw new AppError('FORBIDDEN')
  return role
}

type OneState = Pick<Parameters<typeof rolePage>[0], 'typed' | 'rejection' | 'done'> & { status?: number }

async function showOne(ctx: Context, member: AdminVisit, id: string, { status, ...state }: OneState) {
  const role = await readRole(ctx, member, id)
  const mayInvite = member.may({ id: '', user_type: role.key }, 'create') && mayPreselect(ctx, role.key)
  const data = {
    area: member.area,
    role,
    form: member.sign(rolePath(id)),
    offered: offeredTo(ctx, member, role.permissions),
    give: {
      invite: mayInvite ? addressOf(`${usersPath}/new`, { role: role.key }) : undefined,
      people: member.can('users:set_role') ? usersPath : undefined,
    },
    ...state,
  }
  return member.show((page) => rolePage(data, page), status)
}
