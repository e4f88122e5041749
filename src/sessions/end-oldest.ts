import { recordAudit } from '../audit/record.ts'
import type { SessionRow, Transaction } from '../context.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { endBeyond, endOlderOfApplication } from './end-queries.ts'
import { invalidateSessions } from './end-sessions.ts'
import type { NewSession } from './queries.ts'
import { lifetimesOf } from './session.ts'

interface Counted {
  /** Partial and full sessions are counted apart: a password alone must not end the owner's full sessions. */
  status: SessionRow['status']
  device: RequestDevice
}

/** Ends the user's oldest sessions that exceed SESSION_MAX_PER_USER. */
export async function endOldest(
  tx: Transaction,
  user: { id: string; user_type: string },
  { status, device }: Counted,
): Promise<void> {
  const now = tx.clock.now()
  const { idle, absolute } = lifetimesOf(tx.config, user.user_type)
  const since = {
    usedSince: new Date(now - idle),
    startedSince: new Date(now - absolute),
    pendingSince: new Date(now - tx.config.PARTIAL_SESSION_TTL),
  }
  const ending = { now: new Date(now), reason: 'limit', ...since }
  const ended = await endBeyond(tx.db, { userId: user.id, status, max: tx.config.SESSION_MAX_PER_USER }, ending)
  await noteLimit(tx, user.id, ended, device)
}

/** The maximum number of sessions per application and browser session. Several windows may sign in concurrently. */
const maxPerApplication = 5

export async function endOlderSessions(tx: Transaction, row: NewSession, device: RequestDevice): Promise<void> {
  const ending = { now: row.created_at, reason: 'limit' }
  const ended = await endOlderOfApplication(tx.db, row, maxPerApplication, ending)
  await noteLimit(tx, row.user_id, ended, device)
}

async function noteLimit(tx: Transaction, userId: string, ended: string[], device: RequestDevice) {
  if (ended.length === 0) return
  await invalidateSessions(tx, userId)
  await recordAudit(tx, { event: 'session_limit', target: userId, device, details: { sessions: ended } })
}
