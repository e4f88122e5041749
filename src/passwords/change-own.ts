import { recordAudit } from '../audit/record.ts'
import type { Context, SessionView } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { Device } from '../http/device.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { enqueueMail } from '../outbox/enqueue.ts'
import { isLive } from '../sessions/queries.ts'
import { assertRecentProof } from '../sessions/recent-proof.ts'
import { chargeAccount } from '../users/account-throttle.ts'
import { userColumns } from '../users/columns.ts'
import { findUserWithPassword, lockUser, type UserWithPassword } from '../users/queries.ts'
import { passwordChangedMail } from './password-changed.ts'
import { assertGoodPassword, isOverlong, normalPassword, weakPassword } from './policy.ts'
import { assertSamePassword, untilHashStays } from './replaced-hash.ts'
import { setPassword } from './set-password.ts'

interface OwnChange {
  view: SessionView
  current: string | undefined
  password: string
  device: Device
  /** The device's name when this browser is remembered for the user. */
  knownDevice: string | undefined
}

/** Changes the caller's own password: the current one is the proof, or a recent sign-in where there is none. */
export const changeOwnPassword = (ctx: Context, change: OwnChange): Promise<void> =>
  untilHashStays(() => attempt(ctx, change))

async function attempt(ctx: Context, { view, current, password: chosen, ...from }: OwnChange): Promise<void> {
  const columns = userColumns(ctx.modules)
  const user = await findUserWithPassword(ctx.db, columns, view.user.id)
  if (!user) throw new AppError('INVALID_SESSION')
  if (user.password_hash === null) assertRecentProof(ctx, view)
  else await assertCurrent(ctx, user, current, from)
  const password = normalPassword(chosen)
  if (user.password_hash !== null && current !== undefined && normalPassword(current) === password)
    throw weakPassword('new_password', 'must not be the one you have')
  await assertGoodPassword(ctx, 'new_password', password, user)
  const hash = await ctx.passwords.hash(password)
  await transact(ctx.db, async (change) => {
    const present = await lockUser(change.db, columns, user.id)
    if (!present) throw new AppError('INVALID_SESSION')
    assertSamePassword(present, user, 'INVALID_CURRENT_PASSWORD')
    // What has ended meanwhile, perhaps because the owner noticed somebody, changes nothing any more.
    if (!(await isLive(change.db, view.session.id))) throw new AppError('INVALID_SESSION')
    const { device } = from
    const ending = { reason: 'password_changed' as const, except: view.session.id, actor: user, device }
    await setPassword(ctx, change, user.id, { hash, ...ending })
    await recordAudit(ctx, change.db, { event: 'password_changed', actor: user, target: user.id, device })
    await enqueueMail(ctx, change, passwordChangedMail(ctx, user, device))
  })
}

type From = Pick<OwnChange, 'device' | 'knownDevice'>

/** Charged to the account as at sign-in: a browser that was left open is no place to guess in peace. */
async function assertCurrent(
  ctx: Context,
  user: UserWithPassword,
  given: string | undefined,
  { device, knownDevice }: From,
): Promise<void> {
  if (given === undefined) throw invalidField('current_password', 'is required')
  const password = normalPassword(given)
  if (isOverlong(password)) throw invalidField('current_password', 'must have at most 256 characters')
  const throttle = await chargeAccount(ctx, user, user.email, knownDevice, device)
  const matches = await ctx.passwords.verify(user.password_hash, password).catch(async (error) => {
    await throttle.refund()
    throw error
  })
  if (matches) return throttle.giveBack()
  const limit = await throttle.keep()
  await recordAudit(ctx, ctx.db, { event: 'reauth_fail', outcome: 'failure', actor: user, target: user.id, device })
  throw new AppError('INVALID_CURRENT_PASSWORD', { limit })
}
