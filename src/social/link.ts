import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { Device } from '../http/access/device.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { isLive } from '../sessions/queries.ts'
import { lockUser, withoutPassword } from '../users/queries.ts'
import { addIdentity, noteUse, tellOfIdentity } from './identities.ts'
import type { Identity } from './provider.ts'
import { findIdentityOwner } from './queries.ts'
import { Refusal } from './refusal.ts'

interface Link {
  userId: string
  /** This session continues; all others of the user end. */
  sessionId: string
  identity: Identity
  device: Device
}

/** Requires that the session that began the flow is still live. */
export const linkIdentity = (ctx: Context, { userId, sessionId, identity, device }: Link): Promise<void> =>
  transact(ctx, async (tx) => {
    const found = await lockUser(tx, userId)
    if (!found || !(await isLive(tx.db, sessionId))) throw new Refusal('invalid_state')
    const user = withoutPassword(found)
    if (await noteUse(tx, user.id, identity)) return
    if (await findIdentityOwner(tx.db, identity)) throw new Refusal('account_exists')
    if (!(await addIdentity(tx, user.id, identity))) throw new Refusal('account_exists')
    await endSessionsOf(tx, user.id, { reason: 'social_linked', except: sessionId, actor: user, device })
    await tellOfIdentity(tx, user, { event: 'social_linked', provider: identity.provider, device })
  })
