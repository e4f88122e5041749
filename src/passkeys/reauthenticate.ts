import { recordAudit } from '../audit/record.ts'
import type { Context, RequestDevice, SessionView } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { minute } from '../lib/time.ts'
import { invalidateSessions } from '../sessions/end-sessions.ts'
import { notePasskeyProof } from '../sessions/queries.ts'
import { type ChallengeBinding, consumeChallenge, issueChallenge } from '../webauthn/challenge.ts'
import { challengeIn, readAssertion, warmUp } from '../webauthn/check-response.ts'
import { requestOptions } from '../webauthn/options.ts'
import { findPasskey, listCredentials, notePasskeyUse } from '../webauthn/queries.ts'
import { relyingPartyOf } from '../webauthn/relying-party.ts'
import { isPasskeyResponse } from '../webauthn/schemas.ts'
import { assertOffered, lockOwner } from './change-rights.ts'

const lifetime = 5 * minute

const bindingOf = ({ user, session }: SessionView): ChallengeBinding => ({
  ceremony: 'passkey_check',
  userId: user.id,
  target: `${session.id}:reauth`,
})

export async function startReauthentication(ctx: Context, view: SessionView) {
  assertOffered(ctx)
  warmUp()
  return transact(ctx, async (tx) => {
    const user = await lockOwner(tx, view)
    const challenge = await issueChallenge(tx, { ...bindingOf(view), lifetime })
    const allowed = await listCredentials(tx.db, user.id)
    const asking = { challenge, lifetime, allowed, userVerification: 'required' } as const
    return { options: requestOptions(relyingPartyOf(tx.config), asking), expiresIn: lifetime / 1000 }
  })
}

/** A passkey with user verification proves both factors, so the session counts as confirmed afterwards. */
export async function reauthenticateByPasskey(
  ctx: Context,
  view: SessionView,
  response: unknown,
  device: RequestDevice,
): Promise<void> {
  if (!isPasskeyResponse(response))
    throw invalidField('response', 'must be the credential as returned by toJSON() in the browser')
  assertOffered(ctx)
  const stored = await findPasskey(ctx.db, Buffer.from(response.id, 'base64url'))
  const isOwn = stored?.user_id === view.user.id
  const demand = stored && { publicKey: stored.public_key, userVerification: 'required' as const }
  const assertion = isOwn && demand && (await readAssertion(relyingPartyOf(ctx.config), response, demand))
  const reason = await transact(ctx, async (tx) => {
    const user = await lockOwner(tx, view)
    if (!isOwn) return 'unknown_passkey'
    if (!assertion) return 'response'
    if (!(await consumeChallenge(tx, challengeIn(response) ?? '', bindingOf(view)))) return 'challenge'
    const now = tx.clock.date()
    if (!(await notePasskeyUse(tx.db, stored.id, assertion, now))) return 'sign_count'
    if (!(await notePasskeyProof(tx.db, view.session.id, now))) throw new AppError('INVALID_SESSION')
    await invalidateSessions(tx, user.id)
    await recordAudit(tx, { event: 'reauth_success', actor: user, target: user.id, device })
    return undefined
  })
  if (reason === undefined) return
  const details = { reason, proof: 'passkey' }
  const { user } = view
  await recordAudit(ctx, { event: 'reauth_fail', outcome: 'failure', actor: user, target: user.id, device, details })
  throw new AppError('INVALID_CODE')
}
