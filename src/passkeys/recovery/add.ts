import { recordAudit } from '../../audit/record.ts'
import type { Context, RequestDevice, SessionView, Transaction } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import type { RequestAuth } from '../../http/access/auth.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { minute } from '../../lib/time.ts'
import type { CreatedSession } from '../../sessions/create-session.ts'
import { endSessionsOf } from '../../sessions/end-sessions.ts'
import { promoteSession } from '../../sessions/promote-session.ts'
import type { UserWithPassword } from '../../users/queries.ts'
import { type ChallengeBinding, consumeChallenge, issueChallenge } from '../../webauthn/challenge.ts'
import { type CreatedPasskey, challengeIn, readRegistration, warmUp } from '../../webauthn/check-response.ts'
import { assertRoomForPasskey, keepPasskey, notifyPasskeyChange } from '../../webauthn/keep-passkey.ts'
import { creationOptions } from '../../webauthn/options.ts'
import { deletePasskey, hasVerifiedPasskey, listCredentials } from '../../webauthn/queries.ts'
import { relyingPartyOf } from '../../webauthn/relying-party.ts'
import type { PasskeyResponse } from '../../webauthn/schemas.ts'
import { assertOffered, lockOwner } from '../change-rights.ts'
import { issueMissingCodes } from '../issue-codes.ts'

const lifetime = 5 * minute

const bindingOf = ({ user, session }: SessionView): ChallengeBinding => ({
  ceremony: 'passkey_setup',
  userId: user.id,
  target: `${session.id}:recovery`,
})

export async function startRecoveryPasskey(ctx: Context, view: SessionView, device: RequestDevice) {
  assertOffered(ctx)
  warmUp()
  return transact(ctx, async (tx) => {
    const user = await lockOwner(tx, view)
    await assertMayAdd(tx, view, device)
    const challenge = await issueChallenge(tx, { ...bindingOf(view), lifetime })
    const existing = await listCredentials(tx.db, user.id)
    const creation = { user, challenge, lifetime, existing, requires: 'required' } as const
    return { options: creationOptions(relyingPartyOf(tx.config), creation), expiresIn: lifetime / 1000 }
  })
}

interface Completion {
  response: PasskeyResponse
  name: string | undefined
  /** The ids of lost passkeys. */
  remove: readonly string[]
  device: RequestDevice
}

export interface CompletedRecovery {
  created: CreatedSession
  recoveryCodes: string[] | undefined
}

/**
 * Adds a passkey, removes lost ones and completes the session, all together: without the new passkey, the removal could
 * lock the user out. All other sessions end.
 */
export async function completeRecovery(
  ctx: Context,
  auth: RequestAuth,
  completion: Completion,
): Promise<CompletedRecovery> {
  assertOffered(ctx)
  const passkey = await readRegistration(relyingPartyOf(ctx.config), completion.response, 'verified')
  try {
    if (!passkey) throw rejection('response')
    return await transact(ctx, (tx) => complete(tx, auth, { ...completion, passkey }))
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_CODE')
      await recordRejection(ctx, auth, error, completion.device)
    throw error
  }
}

async function complete(
  tx: Transaction,
  auth: RequestAuth,
  { passkey: created, response, name, remove, device }: Completion & { passkey: CreatedPasskey },
): Promise<CompletedRecovery> {
  const user = await lockOwner(tx, auth)
  await assertMayAdd(tx, auth, device)
  if (auth.session.proof !== 'recovery' && remove.length > 0) throw invalidField('remove', 'is only for a recovery')
  if (!(await consumeChallenge(tx, challengeIn(response) ?? '', bindingOf(auth)))) throw rejection('challenge')
  await removeLost(tx, user, remove, device)
  await assertRoomForPasskey(tx, user.id)
  const passkey = await keepPasskey(tx, user, { id: newId(), created, via: viaOf(auth), name, device })
  if (passkey === undefined) throw rejection('registered')
  await notifyPasskeyChange(tx, user, { message: 'passkey_added', passkey, device })
  const { session, sessionToken } = auth
  const reason = session.proof === 'recovery' ? 'recovered' : 'passkey_added'
  await endSessionsOf(tx, user.id, { reason, except: session.id, actor: user, device })
  // The lost device may be a browser that was remembered.
  await tx.secondFactor.forgetBrowsers(tx.db, [user.id], tx.clock.date())
  return {
    recoveryCodes: await issueMissingCodes(tx, user, device),
    created: await promoteSession(tx, { sessionToken, session, user, by: 'passkey', device }),
  }
}

const viaOf = ({ session }: SessionView) => (session.proof === 'recovery' ? 'recovery' : 'settings')

/**
 * A user who must have a passkey and has one must use it. Otherwise, any other sign-in could replace it. Recoveries are
 * exempt, because they prove the identity with two codes.
 */
export const mayAdd = async ({ db }: Pick<Context, 'db'>, { session, user }: SessionView): Promise<boolean> =>
  session.proof === 'recovery' || !(await hasVerifiedPasskey(db, user.id))

async function assertMayAdd(tx: Transaction, view: SessionView, device: RequestDevice): Promise<void> {
  if (await mayAdd(tx, view)) return
  const { session, user } = view
  const details = { reason: 'passkey_required', session: session.id }
  const about = { outcome: 'failure', actor: user, target: user.id, device, details } as const
  tx.afterRollback((ctx) => recordAudit(ctx, { event: 'passkey_rejected', ...about }))
  throw new AppError('FORBIDDEN', { sentence: 'Sign in with your passkey', passkeyRequired: true })
}

async function removeLost(tx: Transaction, user: UserWithPassword, ids: readonly string[], device: RequestDevice) {
  for (const id of new Set(ids)) {
    const lost = await deletePasskey(tx.db, user.id, id)
    if (!lost) throw invalidField('remove', 'must contain only ids of your passkeys')
    const details = { passkey: id, name: lost.name }
    await recordAudit(tx, { event: 'passkey_removed', actor: user, target: user.id, device, details })
    await notifyPasskeyChange(tx, user, { message: 'passkey_removed', passkey: lost.name, device })
  }
}

const rejection = (cause: string): AppError =>
  new AppError('INVALID_CODE', { cause, sentence: 'The passkey could not be added. Try again.' })

const recordRejection = (ctx: Context, { user }: RequestAuth, { cause }: AppError, device: RequestDevice) => {
  const details = { reason: String(cause) }
  const about = { outcome: 'failure', actor: user, target: user.id, device, details } as const
  return recordAudit(ctx, { event: 'passkey_rejected', ...about })
}
