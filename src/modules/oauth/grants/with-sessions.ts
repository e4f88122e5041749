import { recordAll } from '../../../audit/record.ts'
import type { Transaction } from '../../../context.ts'
import { endEveryGrant } from './expiry-queries.ts'
import { type EndedGrant, endGrantsOfUsers } from './grant-queries.ts'

/**
 * When all sessions of users end, so does the access that outlasts them: someone may have gained it with the password that was
 * just changed. A trigger ends the access that belongs to a session.
 */
export async function endGrantsWithSessions(
  tx: Transaction,
  userIds: readonly string[],
  { reason }: { reason: string },
): Promise<void> {
  const ended = await endGrantsOfUsers(tx.db, userIds, { now: tx.clock.date(), reason })
  await recordEnds(tx, ended, reason)
}

/** Called when a backup is restored, because grants may have ended since. */
export async function endAllGrants(tx: Transaction): Promise<void> {
  await endEveryGrant(tx.db, { now: tx.clock.date(), reason: 'restored' })
}

async function recordEnds(tx: Transaction, ended: readonly EndedGrant[], reason: string): Promise<void> {
  for (const { id, epoch } of ended) tx.after(({ sessions }) => sessions.invalidate(id, Number(epoch)))
  await recordAll(
    tx,
    ended.map(({ id, user_id, client_id, scopes }) => ({
      ...{ event: 'oauth_grant_ended' as const, target: user_id },
      details: { client_row: client_id, grant: id, reason, scopes },
    })),
  )
}
