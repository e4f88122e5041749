import type { Context, RequestDevice, Transaction } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { AppError } from '../../lib/errors.ts'
import { newId, newUserName } from '../../lib/ids.ts'
import { second } from '../../lib/time.ts'
import { eraseLockedUsers } from '../../profile/delete-user.ts'
import { type CreatedSession, createSession } from '../../sessions/create-session.ts'
import { endSessionsOf } from '../../sessions/end-sessions.ts'
import { createUser } from '../../users/create-user.ts'
import { lockUsers } from '../../users/queries.ts'
import type { ApplicationRow } from '../queries.ts'
import { findTestUsers, insertTest } from './queries.ts'

export const maxTestTime = 20 * second

/** A test that is older than this was interrupted. */
const maxTestAge = 3 * maxTestTime

/**
 * Creates a user without a password and with an address that receives no mail, so nobody else can sign in. The session
 * needs no second factor, as with a passkey. It counts as one that began in a way that the application accepts.
 */
export async function signInTestUser(
  tx: Transaction,
  application: Pick<ApplicationRow, 'id' | 'sign_in_methods'>,
  device: RequestDevice,
): Promise<CreatedSession> {
  const id = newId()
  const creation = await createUser(tx, {
    id,
    email: `sign-in-test-${id}@wardenry.invalid`,
    password_hash: null,
    user_name: newUserName(),
    user_type: 'customer',
    is_verified: true,
    name: 'Sign-in test',
  })
  if ('taken' in creation) throw new Error('could not create a test user')
  const test = { user_id: id, application_id: application.id, started_at: tx.clock.date() }
  if (!(await insertTest(tx.db, test))) {
    const sentence = 'A test of this application is in progress. Try again when it has ended.'
    throw new AppError('RATE_LIMITED', { sentence, retryAfter: maxTestTime / second })
  }
  const accepted = application.sign_in_methods
  const [first = 'passkey'] = accepted
  const method = accepted.includes('passkey') ? 'passkey' : first
  return createSession(tx, { userId: id, proof: 'passkey', method, device })
}

/** Also ends the user's sessions, which applications may have cached. */
export const eraseTestUsers = (ctx: Context, ids: readonly string[]): Promise<void> =>
  transact(ctx, async (tx) => {
    await lockUsers(tx.db, ids)
    for (const id of ids) await endSessionsOf(tx, id, { reason: 'user_deleted' })
    await eraseLockedUsers(tx, ids)
  })

/** Removes the users of tests whose process was stopped. Returns their number. */
export async function eraseInterruptedTests(ctx: Context, limit: number): Promise<number> {
  const ids = await findTestUsers(ctx.db, new Date(ctx.clock.now() - maxTestAge), limit)
  if (ids.length > 0) await eraseTestUsers(ctx, ids)
  return ids.length
}
