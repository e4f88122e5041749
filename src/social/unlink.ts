import type { Context, SessionView } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../lib/errors.ts'
import { proveIdentity } from '../passwords/prove-identity.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { isUnendedSession } from '../sessions/queries.ts'
import type { SignInDevice } from '../sessions/remembered-browsers.ts'
import { assertCanSignIn } from '../sign-in-methods/can-sign-in.ts'
import { lockUser, withoutPassword } from '../users/queries.ts'
import { notifyIdentityChange } from './identities.ts'
import { deleteIdentity } from './queries.ts'

interface UnlinkInput extends SignInDevice {
  provider: string
  currentPassword: string | undefined
}

/** Requires recent authentication. Throws LAST_SIGN_IN_METHOD if the user could no longer sign in afterwards. */
export async function unlink(
  ctx: Context,
  view: SessionView,
  { provider, currentPassword, ...from }: UnlinkInput,
): Promise<void> {
  await proveIdentity(ctx, view, { ...from, currentPassword })
  const { device } = from
  await transact(ctx, async (tx) => {
    const found = await lockUser(tx, view.user.id)
    if (!found || !(await isUnendedSession(tx.db, view.session.id))) throw new AppError('INVALID_SESSION')
    if (!(await deleteIdentity(tx.db, found.id, provider))) throw new AppError('NOT_FOUND')
    const user = withoutPassword(found)
    const details = { deed: 'unlink', code: 'LAST_SIGN_IN_METHOD', provider }
    await assertCanSignIn(tx, user, { event: 'authz_denied', device, details })
    await endSessionsOf(tx, user.id, {
      reason: 'social_unlinked',
      except: view.session.id,
      actor: user,
      device,
    })
    await notifyIdentityChange(tx, user, { event: 'social_unlinked', provider, device })
  })
}
