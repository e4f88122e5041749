import type { Transaction } from '../context.ts'
import { day } from '../lib/time.ts'
import { offeredMethods } from '../sign-in-methods/offered-methods.ts'
import { reliesOnPasskeys } from '../sign-in-methods/queries.ts'
import { hasAddedPasskeySince } from '../webauthn/queries.ts'
import { assertProvenByPasskey } from '../webauthn/recent-proof.ts'

/** How long the owner of the current address can stop a change that was proven with a passkey. */
export const timeToStop = 3 * day

/**
 * Users without a password must prove a change with a passkey, because otherwise a session and the current mailbox would
 * be enough to take over the account. Returns whether the change may take effect without the current address. If a
 * passkey was added recently, it may not, because anyone who has stolen a session could add one.
 */
export async function proveChange(tx: Transaction, { userId, sessionId }: Record<'userId' | 'sessionId', string>) {
  const { db, config, clock } = tx
  if (!(await reliesOnPasskeys(db, userId, offeredMethods(config)))) return false
  await assertProvenByPasskey(tx, sessionId)
  return !(await hasAddedPasskeySince(db, userId, new Date(clock.now() - timeToStop)))
}
