import { recordAudit } from '../../audit/record.ts'
import type { Context, Transaction } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { AppError } from '../../lib/errors.ts'
import { sha256Bytes } from '../../lib/hash.ts'
import { consumeOneTimeToken, recordingRejection } from '../../one-time-tokens/one-time-token.ts'
import { findOwnerId } from '../../one-time-tokens/queries.ts'
import { acceptFirstProof } from '../../passwordless/first-proof.ts'
import { type CreatedSession, createSession } from '../../sessions/create-session.ts'
import { lockOwners } from '../../sessions/end-sessions.ts'
import { type DeviceOwner, notifyNewDevice } from '../../sessions/remembered-browsers.ts'
import { lockUser } from '../../users/queries.ts'

interface LinkSignIn {
  token: string
  device: RequestDevice
  confirmation: string | undefined
  replaces: readonly string[]
  isKnown: (owner: DeviceOwner) => boolean
}

/** The link proves the email address, like a sign-in link. A second factor that the user still has is required, too. */
export const signInByPasskeyLink = (ctx: Context, signIn: LinkSignIn): Promise<CreatedSession> =>
  recordingRejection(ctx, 'passkey_link', { device: signIn.device }, () => transact(ctx, (tx) => redeem(tx, signIn)))

async function redeem(tx: Transaction, signIn: LinkSignIn): Promise<CreatedSession> {
  const { token, device, confirmation, replaces, isKnown } = signIn
  const owner = await findOwnerId(tx.db, 'passkey_link', sha256Bytes(token))
  if (owner) await lockOwners(tx, replaces, owner)
  const { id, user_id, target } = await consumeOneTimeToken(tx, 'passkey_link', token)
  const user = await lockUser(tx, user_id ?? '')
  // The link proves control of the address that it was sent to.
  if (!user || user.email !== target) throw new AppError('INVALID_TOKEN')
  if (!user.is_verified) await acceptFirstProof(tx, user, device)
  const details = { token: id, method: 'email', by: 'link' }
  await recordAudit(tx, { event: 'token_used', target: user.id, device, details })
  const browser = { device, replaces, confirmation }
  const created = await createSession(tx, { userId: user.id, proof: 'login_token', method: 'email', ...browser })
  await notifyNewDevice(tx, created, { device, known: isKnown(created.owner) })
  return created
}
