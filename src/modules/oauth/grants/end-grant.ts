import { recordAudit } from '../../../audit/record.ts'
import type { RequestDevice, Transaction, UserRow } from '../../../context.ts'
import type { Client } from '../clients/client-view.ts'
import { endGrantById, type LockedGrant } from './grant-queries.ts'

interface GrantEnding {
  grant: Pick<LockedGrant, 'id'>
  user: UserRow
  reason: string
  event: 'oauth_code_reused' | 'oauth_refresh_reused' | 'oauth_grant_ended'
  device: RequestDevice
  actor?: { id: string; user_type: string }
}

/** Its tokens end with it. Returns false if it had ended before. The caller has locked the user. */
export async function endGrant(
  tx: Transaction,
  { clientId, name }: Pick<Client, 'clientId' | 'name'>,
  { grant, user, reason, event, device, actor }: GrantEnding,
): Promise<boolean> {
  const ended = await endGrantById(tx.db, grant.id, { now: tx.clock.date(), reason })
  if (!ended) return false
  tx.after(({ sessions }) => sessions.invalidate(ended.id, Number(ended.epoch)))
  const outcome = event === 'oauth_grant_ended' ? 'success' : 'failure'
  const details = { client: clientId, name, grant: grant.id, reason, scopes: ended.scopes }
  await recordAudit(tx, { event, outcome, actor, target: user.id, device, details })
  return true
}
