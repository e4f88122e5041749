import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { anyone, browserSession, keyItself, signedIn } from '../../http/access/access.ts'
import { deviceOf } from '../../http/access/device.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { AppError } from '../../lib/errors.ts'
import { iso } from '../../lib/time.ts'
import { listKeys } from './key-queries.ts'
import { createOwnKey, revokeOwnKey, rotateOwnKey, updateOwnKey } from './own-keys.ts'
import * as schemas from './own-schemas.ts'
import { reportKey } from './report-key.ts'
import { userScopes } from './scopes.ts'
import { shownKey, shownOnce } from './shapes.ts'
import { useWriterOf } from './use-writer.ts'

const base = '/auth/keys'
/** The owner is always the user of the session. Another unknown member may be a misspelt restriction. */
const ownersOfKeys = ['user_id', 'userId', 'owner', 'service_account_id']
const module = 'api-keys'

export const keyRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const read = { access: signedIn, limit: 'read', whileImpersonating: 'allowed', module } as const
    const current = { access: keyItself, limit: 'read', module } as const
    const write = { access: browserSession, limit: 'api_key_write', module, strictBody: ownersOfKeys } as const
    const revoke = { access: browserSession, limit: 'write', module } as const
    const report = { access: anyone, limit: 'api_key_report', module } as const

    http.addHook('onClose', () => useWriterOf(ctx).flush(true))

    http.get(base, { schema: schemas.ListKeysRoute, config: read }, async ({ auth }) => {
      const now = ctx.clock.date()
      const rows = await listKeys(ctx.db, { userId: auth.user.id, accountId: null }, now)
      const scopes = ctx.config.API_KEY_PERSONAL ? await userScopes(ctx, auth.user) : []
      return { success: true as const, data: { keys: rows.map((row) => shownKey(row, now)), scopes } }
    })

    http.get(`${base}/current`, { schema: schemas.CurrentKeyRoute, config: current }, async ({ key }) => {
      const shown = key?.view.key
      if (!key || !shown) throw new AppError('INVALID_CREDENTIAL', { sentence: 'Send an API key in Authorization' })
      const { expiresAt } = key.view
      const ends_at = expiresAt === null ? null : iso(new Date(expiresAt))
      return { success: true as const, data: { id: shown.id, name: shown.name, scopes: [...key.scopes], ends_at } }
    })

    http.post(base, { schema: schemas.CreateKeyRoute, config: write }, async (request) => ({
      success: true as const,
      data: shownOnce(await createOwnKey(ctx, callerOf(request), request.body)),
    }))

    http.put(`${base}/:key_id`, { schema: schemas.UpdateKeyRoute, config: write }, async (request) => {
      await updateOwnKey(ctx, callerOf(request), request.params.key_id, request.body)
      return { success: true as const, message: 'The key was updated.' }
    })

    http.post(`${base}/:key_id/rotate`, { schema: schemas.RotateKeyRoute, config: write }, async (request) => {
      const rotated = await rotateOwnKey(ctx, callerOf(request), request.params.key_id, request.body)
      const data = { ...shownOnce(rotated), overlap_until: iso(rotated.overlapUntil) }
      return { success: true as const, data }
    })

    http.delete(`${base}/:key_id`, { schema: schemas.RevokeKeyRoute, config: revoke }, async (request) => {
      await revokeOwnKey(ctx, callerOf(request), request.params.key_id)
      return { success: true as const, message: 'The key was revoked.' }
    })

    http.post(`${base}/report`, { schema: schemas.ReportKeyRoute, config: report }, async (request) => {
      await reportKey(ctx, request.body.key, deviceOf(request))
      return { success: true as const, message: 'Thank you. If the key was valid, it has been ended.' }
    })
  }

const callerOf = (request: FastifyRequest) => ({ view: request.auth, device: deviceOf(request) })
