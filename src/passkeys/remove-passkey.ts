import { recordAudit } from '../audit/record.ts'
import type { Context, FactorProof, RequestDevice, SessionView, Transaction } from '../context.ts'
import { transact } from '../db/transact.ts'
import { requiresPasskey } from '../http/access/awaits-passkey.ts'
import { AppError } from '../lib/errors.ts'
import { proveIdentity } from '../passwords/prove-identity.ts'
import { reauthenticateByFactor } from '../passwords/reauthenticate.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import type { SignInDevice } from '../sessions/remembered-browsers.ts'
import { assertCanSignIn } from '../sign-in-methods/can-sign-in.ts'
import { type UserWithPassword, updateUser } from '../users/queries.ts'
import { notifyPasskeyChange } from '../webauthn/keep-passkey.ts'
import { deletePasskey } from '../webauthn/queries.ts'
import { assertProvenByPasskey } from '../webauthn/recent-proof.ts'
import { forgetUnusedCodes } from '../webauthn/recovery-codes.ts'
import { factorRequired, lockOwner } from './change-rights.ts'

export interface Removal extends FactorProof {
  id: string
  currentPassword: string | undefined
}

/**
 * Requires a recent authentication. If the user needs a second factor, a proof of one must be part of the request, so
 * that an attacker with one of two factors cannot remove the other. Ends all other sessions.
 */
export async function removePasskey(
  ctx: Context,
  view: SessionView,
  { id, currentPassword, ...proof }: Removal,
  from: SignInDevice,
): Promise<void> {
  await proveIdentity(ctx, view, { ...from, currentPassword })
  const { device } = from
  if (ctx.secondFactor.isRequiredOf(view.user)) await proveFactor(ctx, view, proof, device)
  await transact(ctx, async (tx) => {
    const user = await lockOwner(tx, view)
    // Otherwise, a password would be enough to replace the passkey that the user must have.
    if (requiresPasskey(tx.config, user)) await assertProvenByPasskey(tx, view.session.id)
    const passkey = await deletePasskey(tx.db, user.id, id)
    if (!passkey) throw new AppError('NOT_FOUND')
    const rejection = { reason: 'last_sign_in_method', passkey: id }
    await assertCanSignIn(tx, user, { event: 'passkey_rejected', device, details: rejection })
    await forgetUnusedProtection(tx, user)
    await endSessionsOf(tx, user.id, { reason: 'passkey_removed', except: view.session.id, actor: user, device })
    const details = { passkey: id, name: passkey.name }
    await recordAudit(tx, { event: 'passkey_removed', actor: user, target: user.id, device, details })
    await notifyPasskeyChange(tx, user, { message: 'passkey_removed', passkey: passkey.name, device })
  })
}

async function proveFactor(ctx: Context, view: SessionView, proof: FactorProof, device: RequestDevice): Promise<void> {
  if (proof.code === undefined && proof.response === undefined) throw factorRequired()
  await reauthenticateByFactor(ctx, view, proof, device)
}

/** The second step and the recovery codes end with the last authenticator. */
async function forgetUnusedProtection(tx: Transaction, user: UserWithPassword): Promise<void> {
  const isLast = await forgetUnusedCodes(tx, user.id)
  if (isLast && user.two_factor) await updateUser(tx.db, user.id, { two_factor: false }, tx.clock.date())
}
