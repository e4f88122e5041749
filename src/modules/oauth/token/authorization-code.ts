import { hash } from 'node:crypto'
import { recordAudit } from '../../../audit/record.ts'
import type { RequestDevice, Transaction } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { isCheckedSecret } from '../../../lib/checked-secret.ts'
import { AppError } from '../../../lib/errors.ts'
import { sha256Bytes } from '../../../lib/hash.ts'
import { codePrefix } from '../authorize/issue-code.ts'
import { endGrant } from '../grants/end-grant.ts'
import { findGrantOfCode } from '../grants/grant-queries.ts'
import { lockLiveGrant, rolesAreCurrent, stillAllowed } from '../grants/with-grant.ts'
import { consumeAuthorizationCode, isReusedCode, type PresentedAuthorizationCode } from './code-queries.ts'
import type { Grant } from './grant.ts'
import { insertRefreshToken } from './refresh-queries.ts'
import { newRefreshToken } from './refresh-text.ts'
import type { TokenInput } from './schemas.ts'
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

/** RFC 6749, 4.1.3, and RFC 7636, 4.5. */
export const authorizationCode: Grant = {
  type: 'authorization_code',
  async issue(ctx, client, input, device): Promise<UserTokens> {
    const presented = presentedIn(input)
    await rolesAreCurrent(ctx)
    const parts = await tokenPartsFor(ctx, client)
    const redeemed = await transact(ctx, (tx) => redeem(tx, parts, { presented, device }))
    if (!redeemed) throw new AppError('invalid_grant')
    return userTokens(ctx, parts, redeemed)
  },
}

const verifierForm = /^[A-Za-z0-9._~-]{43,128}$/

/** Throws invalid_request, or invalid_grant for a text that is no code. */
function presentedIn({ code, redirect_uri, code_verifier }: TokenInput): PresentedAuthorizationCode {
  if (code === undefined) throw new AppError('invalid_request', { sentence: 'code is required' })
  if (redirect_uri === undefined) throw new AppError('invalid_request', { sentence: 'redirect_uri is required' })
  if (!isCheckedSecret(codePrefix, code)) throw new AppError('invalid_grant')
  if (code_verifier !== undefined && !verifierForm.test(code_verifier)) throw new AppError('invalid_grant')
  const challenge = code_verifier === undefined ? null : hash('sha256', code_verifier, 'base64url')
  return { hash: sha256Bytes(code), redirectUri: redirect_uri, challenge }
}

interface Redeeming {
  presented: PresentedAuthorizationCode
  device: RequestDevice
}

/** Undefined if the code is not valid for the client. A failure does not roll back, so that reuse ends the grant. */
async function redeem(
  tx: Transaction,
  parts: TokenParts,
  { presented, device }: Redeeming,
): Promise<IssuedTokens | undefined> {
  const { client } = parts
  const found = await findGrantOfCode(tx.db, presented.hash)
  // The code of another client stays usable by that client.
  if (found?.client_id !== client.id) return undefined
  const live = await lockLiveGrant(tx, client, found)
  const now = tx.clock.date()
  const target = live && targetOfGrant(parts, live.grant)
  const used = live && target && (await consumeAuthorizationCode(tx.db, presented, now))
  if (!used) {
    // A code that is used twice may have been stolen (RFC 6749, 4.1.2).
    if (live && (await isReusedCode(tx.db, presented)))
      await endGrant(tx, client, { ...live, reason: 'code_reused', event: 'oauth_code_reused', device })
    return undefined
  }
  const scopes = await stillAllowed(tx, client, live)
  const token = await issueUserAccessToken(tx, parts, { live, scopes, target })
  const refreshToken = client.grantTypes.includes('refresh_token') ? newRefreshToken() : undefined
  if (refreshToken !== undefined)
    await insertRefreshToken(tx.db, {
      ...{ hash: sha256Bytes(refreshToken), grantId: live.grant.id, now },
      expiresAt: refreshEnd(tx, client, live),
    })
  await recordAudit(tx, {
    ...{ event: 'oauth_tokens_issued', target: live.user.id, device },
    details: { client: client.clientId, name: client.name, grant: live.grant.id, scopes },
  })
  return { live, token, nonce: used.nonce, refreshToken }
}
