import type { Context } from '../../../context.ts'
import { sha256Bytes } from '../../../lib/hash.ts'
import { findClientViews } from '../clients/client-queries.ts'
import type { Client } from '../clients/client-view.ts'
import { endOfGrant } from '../grants/end-of-grant.ts'
import { findGrantViews, type GrantView } from '../grants/grant-view-queries.ts'
import { findRefreshToken } from './refresh-queries.ts'

export interface RefreshToken {
  client: Client
  grant: GrantView
  /** In milliseconds since 1970. */
  expiresAt: number
}

/** Undefined unless the token can be used now. One that was replaced counts as used. */
export async function readRefreshToken(ctx: Context, text: string): Promise<RefreshToken | undefined> {
  const now = ctx.clock.date()
  const row = await findRefreshToken(ctx.db, sha256Bytes(text))
  if (!row || row.rotated_at !== null || row.expires_at <= now) return undefined
  const [grant] = await findGrantViews(ctx, [row.grant_id], now)
  const [client] = grant ? await findClientViews(ctx, { ids: [grant.client_id] }) : []
  if (!grant || !client?.isLive || grant.client_epoch < client.tokensFromEpoch) return undefined
  await ctx.applicationRoles.whenCurrent(grant.grants.version)
  const end = endOfGrant(ctx, client, grant)
  return end === undefined ? undefined : { client, grant, expiresAt: Math.min(end, row.expires_at.getTime()) }
}
