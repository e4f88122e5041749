import { recordAll } from '../../../audit/record.ts'
import type { Context, Transaction } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { expiryOf } from '../../../sessions/session.ts'
import { type DueGrant, endDueGrants, lockDueGrants, noteSessionEnds, postponeChecks } from './expiry-queries.ts'

const batch = 1_000

/** Ends the grants whose session or time has run out, so that clients learn of it. Tokens are rejected without this. */
export async function endExpiredGrants(ctx: Context): Promise<number> {
  for (let total = 0; ; ) {
    const examined = await transact(ctx, examineDue)
    total += examined
    if (examined < batch) return total
  }
}

async function examineDue(tx: Transaction): Promise<number> {
  const now = tx.clock.date()
  const due = await lockDueGrants(tx.db, now, batch)
  const standing = due.map((grant) => ({ id: grant.id, ...standingOf(tx, grant, now.getTime()) }))
  const ends = standing.flatMap(({ id, reason }) => (reason === undefined ? [] : [{ id, reason }]))
  const checks = standing.flatMap(({ id, at }) => (at === undefined ? [] : [{ id, at: new Date(at) }]))
  const over = standing.flatMap(({ id, isSessionOver }) => (isSessionOver ? [id] : []))
  if (checks.length > 0) await postponeChecks(tx.db, checks)
  if (over.length > 0) await noteSessionEnds(tx.db, over, now)
  if (ends.length === 0) return due.length
  const ended = await endDueGrants(tx.db, ends, now)
  await recordAll(
    tx,
    ended.map(({ id, user_id, client_id, scopes, end_reason }) => ({
      ...{ event: 'oauth_grant_ended' as const, target: user_id },
      details: { client_row: client_id, grant: id, reason: end_reason, scopes },
    })),
  )
  return due.length
}

type Standing = ({ reason: string; at?: never } | { reason?: never; at: number }) & {
  /** Whether the client must learn that the session is over. Triggers notice all ends but its expiry. */
  isSessionOver?: boolean
}

/** Why the grant ends, or when it must be examined again. A grant that has ended is examined until its session is over. */
function standingOf({ config }: Transaction, grant: DueGrant, now: number): Standing {
  const { session } = grant
  const end = grant.expires_at.getTime()
  const expiry = session ? expiryOf(config, sessionTimes(session), grant.user_type) : now
  const isOver = expiry <= now
  const isSessionOver = isOver && grant.session_ended_at === null
  if (grant.ended_at !== null) return { at: isOver ? end : expiry, isSessionOver }
  if (end <= now) return { reason: 'expired', isSessionOver }
  if (grant.last_used_at === null) return { reason: 'code_unused' }
  if (!isOver) return { at: Math.min(end, expiry) }
  if (grant.is_offline) return { at: end, isSessionOver }
  return { reason: session ? 'session_expired' : 'session_ended', isSessionOver }
}

const sessionTimes = ({ created_at, started_at, last_used_at, ends_at }: NonNullable<DueGrant['session']>) => ({
  status: 'active' as const,
  created_at: new Date(created_at),
  started_at: new Date(started_at),
  last_used_at: new Date(last_used_at),
  ends_at: ends_at === null ? null : new Date(ends_at),
})
