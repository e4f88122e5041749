import { recordAudit } from '../audit/record.ts'
import type { PersonalData, Transaction, UserRow } from '../context.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { newId } from '../lib/ids.ts'
import { mailedDevice } from '../outbox/enqueue.ts'
import { mailAccountChange } from '../users/mail-account-change.ts'
import type { ProviderIdentity } from './provider.ts'
import { providerTitle } from './providers/index.ts'
import { findIdentitiesOf, insertIdentity, noteIdentityUse } from './queries.ts'
import { linkedAccounts } from './responses.ts'

/** Thrown if a concurrent request has created the same identity or email address. A retry finds the created row. */
export class IdentityConflict extends Error {}

/**
 * Returns false if the identity is already linked, or if the user has another identity with this provider. The caller
 * must have locked the user.
 */
export function addIdentity(tx: Transaction, userId: string, identity: ProviderIdentity): Promise<boolean> {
  const now = tx.clock.date()
  const { provider, issuer, subject } = identity
  const dates = { linked_at: now, last_used_at: now }
  return insertIdentity(tx.db, {
    id: newId(),
    user_id: userId,
    ...{ provider, issuer, subject },
    ...shownOf(identity),
    ...dates,
  })
}

/** Returns false if the identity is not linked to this user. */
export const recordIdentityUse = (tx: Transaction, userId: string, identity: ProviderIdentity): Promise<boolean> =>
  noteIdentityUse(tx.db, userId, identity, shownOf(identity), tx.clock.date())

const shownOf = ({ email, name, lastName, picture }: ProviderIdentity) => ({
  email: email ?? null,
  name: [name, lastName].filter(Boolean).join(' '),
  picture,
})

export async function notifyIdentityChange(
  tx: Transaction,
  user: UserRow,
  { event, provider, device }: { event: 'social_linked' | 'social_unlinked'; provider: string; device: RequestDevice },
): Promise<void> {
  await recordAudit(tx, { event, actor: user, target: user.id, device, details: { provider } })
  await mailAccountChange(tx, { user, device }, event, {
    provider: providerTitle(tx.config, provider),
    user_agent: mailedDevice(user, device),
  })
}

/** Linked identities and flows in progress are deleted with the user. */
export const socialPersonalData: PersonalData = {
  tables: ['social_accounts', 'social_flows'],
  // `passwordless/first-proof.ts` removes identities. A flow ends with the session that began it.
  unproven: 'kept',
  collect: async (_ctx, user) => ({ social_accounts: linkedAccounts(await findIdentitiesOf(_ctx.db, user.id)) }),
}
