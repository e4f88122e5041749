import type { FastifyRequest } from 'fastify'
import { aboutUser, signedInAdmin } from '../../admin/locked-target.ts'
import type { Context } from '../../context.ts'
import { staffWith, staffWithReauth } from '../../http/access/access.ts'
import { viewerOf } from '../../http/credentials/authenticate-key.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { iso } from '../../lib/time.ts'
import { createAccountKey, revokeAccountKey, rotateAccountKey, updateAccountKey } from './account-keys.ts'
import * as schemas from './account-schemas.ts'
import { createAccount, deleteAccount, updateAccountOf } from './change-accounts.ts'
import { getAccount, listAccountKeys, listServiceAccounts } from './read-accounts.ts'
import { shownOnce } from './shapes.ts'
import { ListUserKeysRoute, RevokeUserKeysRoute } from './user-key-schemas.ts'
import { listUserKeys, revokeUserKeys } from './user-keys.ts'

const base = '/auth/admin/service-accounts'
const one = `${base}/:service_account_id`
const keys = `${one}/keys`
const ofUser = '/auth/admin/users/:user_id/keys'

const module = 'api-keys'
const read = { access: staffWith('service_accounts:read'), limit: 'admin', module } as const
const config = { access: staffWith('keys:manage'), limit: 'admin', module, strictBody: [] } as const
// A misspelt `key_ids` would revoke all keys.
const revoke = { access: staffWithReauth('keys:manage'), limit: 'admin', module, strictBody: [] } as const

export const serviceAccountRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(base, { schema: schemas.ListAccountsRoute, config: read }, async ({ auth }) =>
      done(await listServiceAccounts(ctx, auth.user)),
    )
    http.post(base, { schema: schemas.CreateAccountRoute, config }, async (request) =>
      done(await getAccount(ctx, await createAccount(ctx, about(request), request.body))),
    )
    http.get(one, { schema: schemas.GetAccountRoute, config: read }, async ({ params }) =>
      done(await getAccount(ctx, params.service_account_id)),
    )
    http.put(one, { schema: schemas.UpdateAccountRoute, config }, async (request) => {
      await updateAccountOf(ctx, about(request, request.params), request.body)
      return done(await getAccount(ctx, request.params.service_account_id))
    })
    http.delete(one, { schema: schemas.DeleteAccountRoute, config }, async (request) => {
      await deleteAccount(ctx, about(request, request.params))
      return { success: true as const, message: 'The service account was deleted.' }
    })
  }

export const serviceKeyRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(keys, { schema: schemas.ListAccountKeysRoute, config: read }, async ({ params }) =>
      done({ keys: await listAccountKeys(ctx, params.service_account_id) }),
    )
    http.post(keys, { schema: schemas.CreateAccountKeyRoute, config }, async (request) =>
      done(shownOnce(await createAccountKey(ctx, about(request, request.params), request.body))),
    )
    http.put(`${keys}/:key_id`, { schema: schemas.UpdateAccountKeyRoute, config }, async (request) => {
      await updateAccountKey(ctx, about(request, request.params), request.params.key_id, request.body)
      return { success: true as const, message: 'The key was updated.' }
    })
    http.post(`${keys}/:key_id/rotate`, { schema: schemas.RotateAccountKeyRoute, config }, async (request) => {
      const { key_id } = request.params
      const rotated = await rotateAccountKey(ctx, about(request, request.params), key_id, request.body)
      return done({ ...shownOnce(rotated), overlap_until: iso(rotated.overlapUntil) })
    })
    http.delete(`${keys}/:key_id`, { schema: schemas.RevokeAccountKeyRoute, config }, async (request) => {
      await revokeAccountKey(ctx, about(request, request.params), request.params.key_id)
      return { success: true as const, message: 'The key was revoked.' }
    })

    http.get(ofUser, { schema: ListUserKeysRoute, config: read }, async (request) =>
      done({ keys: await listUserKeys(ctx, request.params.user_id, viewerOf(request)) }),
    )
    http.delete(ofUser, { schema: RevokeUserKeysRoute, config: revoke }, async (request) => ({
      success: true as const,
      revoked: await revokeUserKeys(ctx, aboutUser(request, request.params), request.body.key_ids),
    }))
  }

const about = (request: FastifyRequest, { service_account_id: id = '' }: { service_account_id?: string } = {}) => ({
  principal: signedInAdmin(request),
  session: request.auth,
  id,
})

const done = <Data>(data: Data) => ({ success: true as const, data })
