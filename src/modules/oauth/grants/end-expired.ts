import { recordAll } from '../../../audit/record.ts'
import type { Context, Transaction } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { expiryOf } from '../../../sessions/session.ts'
import { type DueGrant, endDueGrants, lockDueGrants, postponeChecks } from './expiry-queries.ts'

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
  if (checks.length > 0) await postponeChecks(tx.db, checks)
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

type Standing = { reason: string; at?: never } | { reason?: never; at: number }

/** Why the grant ends, or when it must be examined again. */
function standingOf({ config }: Transaction, grant: DueGrant, now: number): Standing {
  const end = grant.expires_at.getTime()
  if (end <= now) return { reason: 'expired' }
  if (grant.last_used_at === null) return { reason: 'code_unused' }
  if (grant.is_offline) return { at: end }
  if (!grant.session) return { reason: 'session_ended' }
  const expiry = expiryOf(config, sessionTimes(grant.session), grant.user_type)
  return expiry <= now ? { reason: 'session_expired' } : { at: Math.min(end, expiry) }
}

const sessionTimes = ({ created_at, started_at, last_used_at, ends_at }: NonNullable<DueGrant['session']>) => ({
  status: 'active' as const,
  created_at: new Date(created_at),
  started_at: new Date(started_at),
  last_used_at: new Date(last_used_at),
  ends_at: ends_at === null ? null : new Date(ends_at),
})
