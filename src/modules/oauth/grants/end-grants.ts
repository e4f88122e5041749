import type { Actor } from '../../../admin/principal.ts'
import { recordAll } from '../../../audit/record.ts'
import type { RequestDevice, Transaction } from '../../../context.ts'
import { type AdministeredGrant, endGrantsOf } from './admin-queries.ts'

interface GrantsEnding {
  userId: string
  /** Only the grant with this id. */
  id?: string
  /** Only those for this client. */
  clientRowId?: string | undefined
  reason: string
  actor: Actor
  device: RequestDevice | undefined
}

/** Ends grants of one user, at the wish of a person. The caller has locked the user. Returns those that have ended now. */
export async function endGrants(
  tx: Transaction,
  { reason, actor, device, ...which }: GrantsEnding,
): Promise<AdministeredGrant[]> {
  const ended = await endGrantsOf(tx.db, { ...which, reason, now: tx.clock.date() })
  for (const { id, epoch } of ended) tx.after(({ sessions }) => sessions.invalidate(id, epoch))
  const entries = ended.map(({ id, user_id, client_id, name, scopes }) => ({
    ...{ event: 'oauth_grant_ended' as const, actor, target: user_id, device },
    details: { client: client_id, name, grant: id, reason, scopes },
  }))
  await recordAll(tx, entries)
  return ended
}
