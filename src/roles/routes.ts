import type { FastifyRequest } from 'fastify'
import { signedInAdmin } from '../admin/locked-target.ts'
import type { Context } from '../context.ts'
import { staffReading, staffWith } from '../http/access/access.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { AppError } from '../lib/errors.ts'
import { createRole, deleteRole, updateRoleOf } from './change-role.ts'
import { listRoles } from './list-roles.ts'
import * as schemas from './schemas.ts'

const read = { access: staffReading('users:read'), limit: 'admin' } as const
const config = { access: staffWith('roles:manage'), limit: 'admin' } as const
const base = '/auth/admin/roles'
const one = `${base}/:role_id`

export const roleRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(base, { schema: schemas.ListRolesRoute, config: read }, async () => done(await listRoles(ctx)))
    http.post(base, { schema: schemas.CreateRoleRoute, config }, async (request) =>
      done(await getRole(ctx, await createRole(ctx, callerOf(request), request.body))),
    )
    http.put(one, { schema: schemas.UpdateRoleRoute, config }, async (request) => {
      const { role_id: id } = request.params
      await updateRoleOf(ctx, { ...callerOf(request), id }, request.body)
      return done(await getRole(ctx, id))
    })
    http.delete(one, { schema: schemas.DeleteRoleRoute, config }, async (request) => {
      await deleteRole(ctx, { ...callerOf(request), id: request.params.role_id })
      return { success: true as const, message: 'The role was deleted.' }
    })
  }

const callerOf = (request: FastifyRequest) => ({ principal: signedInAdmin(request), session: request.auth })

const done = <Data>(data: Data) => ({ success: true as const, data })

async function getRole(ctx: Context, id: string) {
  const found = (await listRoles(ctx)).roles.find((role) => role.id === id)
  if (!found) throw new AppError('NOT_FOUND')
  return found
}
