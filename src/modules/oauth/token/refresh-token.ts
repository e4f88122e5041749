import { randomBytes } from 'node:crypto'
import type { Context, RequestDevice, Transaction } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { AppError } from '../../../lib/errors.ts'
import { sha256Bytes } from '../../../lib/hash.ts'
import { restartIdle } from '../../../sessions/queries.ts'
import type { Client } from '../clients/client-view.ts'
import { endGrant } from '../grants/end-grant.ts'
import { findGrantOfRefreshToken } from '../grants/grant-queries.ts'
import { type LiveGrant, lockLiveGrant, rolesAreCurrent, stillAllowed } from '../grants/with-grant.ts'
import type { Grant } from './grant.ts'
import { findRefreshToken, insertRefreshToken, rotateRefreshToken } from './refresh-queries.ts'
import { isRefreshToken, successorOf } from './refresh-text.ts'
import type { TokenInput } from './schemas.ts'
import { isNamed, scopesIn, type Target } from './scopes.ts'
import {
  type IssuedTokens,
  issueUserAccessToken,
  refreshEnd,
  type TokenParts,
  targetOfGrant,
  tokenPartsFor,
  type UserTokens,
  userTokens,
} from './user-tokens.ts'

/** RFC 6749, 6. Each use yields a new refresh token (RFC 9700, 4.14.2). */
export const refreshTokenGrant: Grant = {
  type: 'refresh_token',
  async issue(ctx, client, input, device): Promise<UserTokens> {
    const { refresh_token: presented } = input
    if (presented === undefined) throw new AppError('invalid_request', { sentence: 'refresh_token is required' })
    if (!isRefreshToken(presented)) throw new AppError('invalid_grant')
    await rolesAreCurrent(ctx)
    const parts = await tokenPartsFor(ctx, client)
    const refreshed = await transact(ctx, (tx) => refresh(tx, parts, { presented, input, device }))
    if (!refreshed) throw new AppError('invalid_grant')
    return userTokens(ctx, parts, refreshed)
  },
}

interface Refreshing {
  presented: string
  input: TokenInput
  device: RequestDevice
}

/** Undefined if the token is not valid for the client. A failure does not roll back, so that reuse ends the grant. */
async function refresh(
  tx: Transaction,
  parts: TokenParts,
  { presented, input, device }: Refreshing,
): Promise<IssuedTokens | undefined> {
  const { client } = parts
  const found = await findGrantOfRefreshToken(tx.db, sha256Bytes(presented))
  if (found?.client_id !== client.id) return undefined
  const live = await lockLiveGrant(tx, client, found)
  const target = live && targetOfGrant(parts, live.grant)
  if (!live || !target) return undefined
  const successor = await rotate(tx, client, { presented, live })
  if (successor === 'reused') {
    await endGrant(tx, client, { ...live, reason: 'refresh_reused', event: 'oauth_refresh_reused', device })
    return undefined
  }
  if (successor === undefined) return undefined
  // If it throws, the token stays as it was. A replaced token does not get that far.
  const scopes = narrowed(await stillAllowed(tx, client, live), { input, target, tx })
  const token = await issueUserAccessToken(tx, parts, { live, scopes, target })
  const now = tx.clock.date()
  if (!live.grant.is_offline) await restartIdle(tx.db, { id: live.grant.session_id, parent_id: null }, now)
  return { live, token, nonce: null, refreshToken: successor }
}

interface Narrowing {
  input: TokenInput
  target: Target
  tx: Pick<Context, 'config'>
}

/** The access token can have fewer scopes than the grant, but not others. Throws invalid_scope or invalid_target. */
function narrowed(granted: readonly string[], { input, target, tx }: Narrowing): string[] {
  const { scope, resource } = input
  if (resource !== undefined && !isNamed(tx, target, resource)) throw new AppError('invalid_target')
  const asked = scopesIn(scope)
  if (!asked.every((one) => granted.includes(one))) throw new AppError('invalid_scope')
  return asked.length > 0 ? asked.toSorted() : [...granted]
}

interface Rotating {
  presented: string
  live: LiveGrant
}

/**
 * The successor of the token. A request that is repeated within OAUTH_REFRESH_GRACE, because its response was lost, gets the same
 * one, unless that was used already.
 */
async function rotate(
  tx: Transaction,
  client: Client,
  { presented, live }: Rotating,
): Promise<string | 'reused' | undefined> {
  const now = tx.clock.date()
  const hash = sha256Bytes(presented)
  const salt = randomBytes(16)
  if (await rotateRefreshToken(tx.db, { hash, salt, now })) {
    const successor = successorOf(tx.config.AUTH_SECRET, presented, salt)
    const expiresAt = refreshEnd(tx, client, live)
    await insertRefreshToken(tx.db, { hash: sha256Bytes(successor), grantId: live.grant.id, now, expiresAt })
    return successor
  }
  const row = await findRefreshToken(tx.db, hash)
  // It has expired.
  if (!row?.rotated_at || !row.successor_salt) return undefined
  const isInGrace = now.getTime() - row.rotated_at.getTime() < tx.config.OAUTH_REFRESH_GRACE
  if (!isInGrace) return 'reused'
  const successor = successorOf(tx.config.AUTH_SECRET, presented, row.successor_salt)
  const next = await findRefreshToken(tx.db, sha256Bytes(successor))
  // AUTH_SECRET was replaced meanwhile, so the successor is unknown.
  if (!next) return undefined
  return next.rotated_at ? 'reused' : successor
}
