import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { deviceOf } from '../../../http/access/device.ts'
import { sha256Bytes } from '../../../lib/hash.ts'
import { lockUser } from '../../../users/queries.ts'
import type { Client } from '../clients/client-view.ts'
import { endGrant } from '../grants/end-grant.ts'
import { findGrantOfRefreshToken, lockGrant } from '../grants/grant-queries.ts'
import { recordRejectionLater } from '../rejections/record-rejection.ts'
import { insertRevoked } from '../token/queries.ts'
import { readTokens } from '../token/read-tokens.ts'
import { isRefreshToken } from '../token/refresh-text.ts'

/** RFC 7009, 2.1. Does nothing if the token is not valid, or another client's, whose attempt is audited. */
export async function revokeToken(ctx: Context, request: FastifyRequest, client: Client, text: string): Promise<void> {
  if (isRefreshToken(text)) return revokeGrantOf(ctx, request, client, text)
  const token = (await readTokens(ctx, [text])).get(text)
  if (!token) return
  const device = deviceOf(request)
  const details = { client: client.clientId, name: client.name }
  if (token.client.id !== client.id) {
    recordRejectionLater(ctx, request, client, { reason: 'foreign_revocation', owner: token.client.clientId })
    return
  }
  await transact(ctx, async (tx) => {
    const row = { token_id: token.id, created_at: tx.clock.date(), expires_at: new Date(token.expiresAt) }
    if (!(await insertRevoked(tx.db, row))) return
    tx.after(() => tx.sessions.invalidate(token.id, 2))
    await recordAudit(tx, { event: 'oauth_token_revoked', device, details })
  })
}

/** RFC 7009, 2.1: the access that a refresh token belongs to ends as a whole. */
async function revokeGrantOf(ctx: Context, request: FastifyRequest, client: Client, text: string): Promise<void> {
  const found = await findGrantOfRefreshToken(ctx.db, sha256Bytes(text))
  if (!found) return
  if (found.client_id !== client.id) {
    recordRejectionLater(ctx, request, client, { reason: 'foreign_revocation' })
    return
  }
  await transact(ctx, async (tx) => {
    const user = await lockUser(tx, found.user_id)
    const grant = await lockGrant(tx.db, found.id)
    if (!user || !grant) return
    const about = { grant, user, device: deviceOf(request), reason: 'revoked' }
    await endGrant(tx, client, { ...about, event: 'oauth_grant_ended' })
  })
}
