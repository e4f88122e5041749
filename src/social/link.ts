import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { isUnendedSession } from '../sessions/queries.ts'
import { lockUser, withoutPassword } from '../users/queries.ts'
import { addIdentity, notifyIdentityChange, recordIdentityUse } from './identities.ts'
import type { ProviderIdentity } from './provider.ts'
import { findIdentityOwner } from './queries.ts'
import { SocialRejection } from './rejection.ts'

interface Link {
  userId: string
  /** The session that stays live. All of the user's other sessions end. */
  sessionId: string
  identity: ProviderIdentity
  device: RequestDevice
}

/** Requires the session that started the flow to be live. */
export const linkIdentity = (ctx: Context, { userId, sessionId, identity, device }: Link): Promise<void> =>
  transact(ctx, async (tx) => {
    const found = await lockUser(tx, userId)
    if (!found || !(await isUnendedSession(tx.db, sessionId))) throw new SocialRejection('invalid_state')
    const user = withoutPassword(found)
    if (await recordIdentityUse(tx, user.id, identity)) return
    if (await findIdentityOwner(tx.db, identity)) throw new SocialRejection('account_exists')
    if (!(await addIdentity(tx, user.id, identity))) throw new SocialRejection('account_exists')
    await endSessionsOf(tx, user.id, { reason: 'social_linked', except: sessionId, actor: user, device })
    await notifyIdentityChange(tx, user, { event: 'social_linked', provider: identity.provider, device })
  })
