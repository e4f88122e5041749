import { recordAll, recordAudit } from '../audit/record.ts'
import type { Transaction } from '../context.ts'
import type { RequestAuth } from '../http/access/auth.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { sha256Bytes } from '../lib/hash.ts'
import { looksLikeSessionToken } from '../lib/ids.ts'
import { voidDelayedChanges } from '../one-time-tokens/queries.ts'
import { lockUsers, raiseEpochs } from '../users/queries.ts'
import { endByHash, endById, endOfUsers, invalidateCodesOfApplication, invalidateCodesOfUsers } from './end-queries.ts'
import { countWrongCode } from './partial-queries.ts'
import { findOwner } from './queries.ts'

/** Increments the user's epoch in the transaction. After the commit, nodes invalidate the user's cached sessions. */
export const invalidateSessions = (tx: Transaction, userId: string): Promise<void> => invalidateSessionsOf(tx, [userId])

const invalidatedTogether = 8

export async function invalidateSessionsOf(tx: Transaction, userIds: readonly string[]): Promise<void> {
  const raised = await raiseEpochs(tx.db, userIds, tx.clock.date())
  tx.after(async () => {
    for (let from = 0; from < raised.length; from += invalidatedTogether) {
      const some = raised.slice(from, from + invalidatedTogether)
      await Promise.all(some.map(({ id, session_epoch }) => tx.sessions.invalidate(id, session_epoch)))
    }
  })
}

/** To prevent deadlocks, users are always locked before sessions. */
export async function lockOwners(
  tx: Transaction,
  sessionTokens: readonly string[],
  ...userIds: string[]
): Promise<void> {
  const owners: string[] = []
  for (const sessionToken of sessionTokens.filter(looksLikeSessionToken)) {
    const owner = await findOwner(tx.db, sha256Bytes(sessionToken))
    if (owner) owners.push(owner)
  }
  if (owners.length > 0) await lockUsers(tx.db, [...userIds, ...owners])
}

/** Returns false if the session has already ended. The scope `sign_in` covers the browser session and its children. */
export async function endSession(
  tx: Transaction,
  { sessionToken, session, user }: Pick<RequestAuth, 'sessionToken' | 'session' | 'user'>,
  { device, scope }: { device: RequestDevice; scope: 'sign_in' | 'application' },
): Promise<boolean> {
  await lockOwners(tx, [sessionToken])
  const { parent_id } = session
  const ending = { now: tx.clock.date(), reason: 'logout' }
  const isEnded =
    parent_id && scope === 'sign_in'
      ? await endById(tx.db, user.id, parent_id, ending)
      : await endByHash(tx.db, sha256Bytes(sessionToken), ending)
  if (!isEnded) return false
  await invalidateCodesOfApplication(tx.db, session.id, ending.now)
  await invalidateSessions(tx, user.id)
  const details = { session: session.id, ...(parent_id && { parent: parent_id, scope }) }
  await recordAudit(tx, { event: 'logout', actor: user, target: user.id, device, details })
  return true
}

/** Does nothing if the session has already ended. */
export async function endImpersonation(
  tx: Transaction,
  { session, user }: Pick<RequestAuth, 'session' | 'user'>,
  device: RequestDevice,
): Promise<void> {
  await lockUsers(tx.db, [user.id])
  const ending = { now: tx.clock.date(), reason: 'impersonation_ended' }
  if (!(await endById(tx.db, user.id, session.id, ending))) return
  await invalidateSessions(tx, user.id)
  const details = { session: session.id }
  await recordAudit(tx, { event: 'impersonation_ended', actor: user, target: user.id, device, details })
}

interface EndOptions {
  reason: string
  /** The id of the session to keep. */
  except?: string | undefined
  actor?: { id: string | null; user_type: string } | undefined
  device?: RequestDevice | undefined
}

/** Also invalidates handover codes, even those of the session in `except`. The caller has locked the user. */
export const endSessionsOf = (tx: Transaction, userId: string, ending: EndOptions): Promise<number> =>
  endSessionsOfUsers(tx, [userId], ending)

export async function endSessionsOfUsers(
  tx: Transaction,
  userIds: readonly string[],
  { reason, except, actor, device }: EndOptions,
): Promise<number> {
  const now = tx.clock.date()
  const ended = await endOfUsers(tx.db, userIds, except ?? null, { now, reason })
  await invalidateCodesOfUsers(tx.db, userIds, now)
  await voidDelayedChanges(tx.db, userIds, except ?? null, now)
  await tx.endWithSessions(tx, userIds, { reason })
  await invalidateSessionsOf(tx, userIds)
  const entries = Map.groupBy(ended, ({ user_id }) => user_id)
    .entries()
    .map(([target, rows]) => {
      const details = { reason, sessions: rows.map(({ id }) => id) }
      return { event: 'session_ended' as const, actor, target, device, details }
    })
  await recordAll(tx, [...entries])
  return ended.length
}

/** Returns false if the user has no such session, or if it had ended. The caller must have locked the user. */
export async function endSessionOf(
  tx: Transaction,
  userId: string,
  sessionId: string,
  { reason, actor, device }: Omit<EndOptions, 'except'>,
): Promise<boolean> {
  const now = tx.clock.date()
  if (!(await endById(tx.db, userId, sessionId, { now, reason }))) return false
  await invalidateCodesOfApplication(tx.db, sessionId, now)
  await invalidateSessions(tx, userId)
  const details = { reason, sessions: [sessionId] }
  await recordAudit(tx, {
    event: 'session_ended',
    actor,
    target: userId,
    device,
    details,
  })
  return true
}

/** Returns the number of remaining attempts. If no attempts remain, the session ends. */
export async function chargeWrongCode(
  tx: Transaction,
  { session, user }: Pick<RequestAuth, 'session' | 'user'>,
  device: RequestDevice,
): Promise<number> {
  const ending = { now: tx.clock.date(), reason: 'wrong_codes', max: maxWrongCodes }
  const counted = await countWrongCode(tx.db, session.id, ending)
  const left = Math.max(0, maxWrongCodes - (counted?.wrong_codes ?? maxWrongCodes))
  if (left > 0) return left
  await invalidateSessions(tx, user.id)
  const details = { session: session.id, reason: ending.reason }
  await recordAudit(tx, { event: 'session_ended', target: user.id, device, details })
  return 0
}

const maxWrongCodes = 5

/** The caller must have locked the owners of these sessions. */
export async function endReplacedSessions(
  tx: Transaction,
  sessionTokens: readonly string[],
  device: RequestDevice,
): Promise<void> {
  for (const sessionToken of sessionTokens) await endByBearer(tx, sessionToken, { device, reason: 'replaced' })
}

export async function endByCookie(tx: Transaction, sessionToken: string, device: RequestDevice): Promise<void> {
  await lockOwners(tx, [sessionToken])
  await endByBearer(tx, sessionToken, { device, reason: 'logout' })
}

async function endByBearer(
  tx: Transaction,
  sessionToken: string,
  { device, reason }: { device: RequestDevice; reason: string },
): Promise<void> {
  if (!looksLikeSessionToken(sessionToken)) return
  const ended = await endByHash(tx.db, sha256Bytes(sessionToken), { now: tx.clock.date(), reason })
  if (!ended) return
  await invalidateSessions(tx, ended.user_id)
  const details = { session: ended.id, reason }
  await recordAudit(tx, { event: 'session_ended', target: ended.user_id, device, details })
}
