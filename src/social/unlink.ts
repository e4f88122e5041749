import type { Context, SessionView } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../lib/errors.ts'
import { proveIdentity } from '../passwords/prove-identity.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { isUnendedSession } from '../sessions/queries.ts'
import type { SignInDevice } from '../sessions/remembered-browsers.ts'
import { lockUser, type UserWithPassword, withoutPassword } from '../users/queries.ts'
import { hasSignInPasskey } from '../webauthn/queries.ts'
import { offersPasskeys } from '../webauthn/relying-party.ts'
import type { SocialProviders } from './create-providers.ts'
import { notifyIdentityChange } from './identities.ts'
import { deleteIdentity, findIdentitiesOf } from './queries.ts'

interface UnlinkInput extends SignInDevice {
  provider: string
  currentPassword: string | undefined
}

/** Requires recent authentication. Throws LAST_SIGN_IN_METHOD if the user could no longer sign in afterwards. */
export async function unlink(
  ctx: Context,
  providers: SocialProviders,
  view: SessionView,
  { provider, currentPassword, ...from }: UnlinkInput,
): Promise<void> {
  await proveIdentity(ctx, view, { ...from, currentPassword })
  const { device } = from
  await transact(ctx, async (tx) => {
    const found = await lockUser(tx, view.user.id)
    if (!found || !(await isUnendedSession(tx.db, view.session.id))) throw new AppError('INVALID_SESSION')
    if (!(await deleteIdentity(tx.db, found.id, provider))) throw new AppError('NOT_FOUND')
    if (!(await canStillSignIn(tx, providers, found))) throw new AppError('LAST_SIGN_IN_METHOD')
    const user = withoutPassword(found)
    await endSessionsOf(tx, user.id, {
      reason: 'social_unlinked',
      except: view.session.id,
      actor: user,
      device,
    })
    await notifyIdentityChange(tx, user, { event: 'social_unlinked', provider, device })
  })
}

async function canStillSignIn(ctx: Context, providers: SocialProviders, user: UserWithPassword): Promise<boolean> {
  if (user.password_hash !== null) return true
  if (user.is_verified && ctx.config.TOKEN_LOGIN_ENABLED) return true
  if (offersPasskeys(ctx) && (await hasSignInPasskey(ctx.db, user.id))) return true
  const others = await findIdentitiesOf(ctx.db, user.id)
  return others.some(({ provider }) => providers.isEnabled(provider))
}
