import { recordAudit } from '../audit/record.ts'
import { passwordRules } from '../config/password-rules.ts'
import type { Context, RequestDevice, SessionView } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError, needsBrowserSession } from '../lib/errors.ts'
import { isUnendedSession } from '../sessions/queries.ts'
import { type DeviceOwner, deviceOwnerOf, type SignInDevice } from '../sessions/remembered-browsers.ts'
import { assertRecentProof } from '../sessions/session.ts'
import { findUserWithPassword, lockUser } from '../users/queries.ts'
import { assertCurrentPassword } from './check-current.ts'
import { assertSamePassword, untilHashStays } from './hash.ts'
import { assertGoodPassword, normalPassword, weakPassword } from './policy.ts'
import { notifyPasswordChanged, setPassword } from './set-password.ts'

interface OwnChange extends SignInDevice {
  view: SessionView
  current: string | undefined
  password: string
}

/** Requires the current password. Users without a password need recent authentication instead. */
export const changeOwnPassword = (ctx: Context, change: OwnChange): Promise<DeviceOwner> =>
  untilHashStays(() => attempt(ctx, change))

async function attempt(ctx: Context, { view, current, password: chosen, ...from }: OwnChange): Promise<DeviceOwner> {
  const user = await findUserWithPassword(ctx, view.user.id)
  if (!user) throw new AppError('INVALID_SESSION')
  if (user.password_hash === null) {
    await assertBrowserSession(ctx, view, from.device)
    assertRecentProof(ctx, view)
  }
  if (user.password_hash !== null || current !== undefined) await assertCurrentPassword(ctx, user, current, from)
  const password = normalPassword(chosen)
  if (user.password_hash !== null && current !== undefined && normalPassword(current) === password)
    throw weakPassword('new_password', passwordRules.same)
  await assertGoodPassword(ctx, 'new_password', password, user)
  const hash = await ctx.passwords.hash(password)
  await transact(ctx, async (tx) => {
    const present = await lockUser(tx, user.id)
    if (!present) throw new AppError('INVALID_SESSION')
    assertSamePassword(present, user, 'INVALID_CURRENT_PASSWORD')
    // The owner may have ended the session by now.
    if (!(await isUnendedSession(tx.db, view.session.id))) throw new AppError('INVALID_SESSION')
    const { device } = from
    const ending = { reason: 'password_changed' as const, except: view.session.id, actor: user, device }
    const passkeys = await setPassword(tx, user.id, { hash, ...ending })
    await recordAudit(tx, { event: 'password_changed', actor: user, target: user.id, device })
    await notifyPasswordChanged(tx, { user, device, passkeys })
  })
  return deviceOwnerOf(ctx.config, { id: user.id, password_hash: hash })
}

/** With a password of its choice, an application could sign in as the user to the service itself. */
async function assertBrowserSession(
  ctx: Context,
  { user, session }: SessionView,
  device: RequestDevice,
): Promise<void> {
  if (session.parent_id === null) return
  const details = { action: 'set_password', application: session.application }
  await recordAudit(ctx, { event: 'authz_denied', outcome: 'failure', actor: user, device, details })
  throw needsBrowserSession()
}
