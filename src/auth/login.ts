import { auditedContact, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { isRightPassword } from '../hooks/password-verify.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { assertSamePassword, untilHashStays } from '../passwords/hash.ts'
import { isOverlong, normalPassword } from '../passwords/policy.ts'
import { type CreatedSession, createSession } from '../sessions/create-session.ts'
import { deviceOwnerOf, notifyNewDevice } from '../sessions/remembered-browsers.ts'
import { chargeAccount } from '../users/account-throttle.ts'
import { canonicalEmail } from '../users/fields.ts'
import { findUserByLogin, setPasswordHash, type UserWithPassword } from '../users/queries.ts'

interface LoginInput {
  identifier: string
  password: string
  deviceId: string | undefined
  device: RequestDevice
  isKnown: (user: UserWithPassword | undefined) => boolean
  replaces: readonly string[]
  confirmation: string | undefined
}

/** An unknown user, a user without a password and a wrong password get the same response after the same work. */
export const login = (ctx: Context, input: LoginInput): Promise<CreatedSession> =>
  ctx.passwords.during(() => untilHashStays(() => signIn(ctx, input)))

async function signIn(ctx: Context, input: LoginInput): Promise<CreatedSession> {
  const identifier = foldedIdentifier(input.identifier)
  const password = normalPassword(input.password)
  if (isOverlong(password)) throw invalidField('password', 'must have at most 256 characters')
  ctx.passwords.assertRoom()
  const user = await findUserByLogin(ctx, identifier)
  const known = input.isKnown(user)
  const throttle = await chargeAccount(ctx, user, identifier, known, input.device)
  const matches = await isRightPassword(ctx, user, password).catch(async (error) => {
    await throttle.refund()
    throw error
  })
  if (!user || !matches) {
    const limit = await throttle.keep()
    await recordFailure(ctx, user, identifier, input.device)
    throw new AppError('INVALID_CREDENTIALS', { limit })
  }
  await throttle.giveBack()
  if (ctx.config.VERIFY_REGISTRATION && !user.is_verified) throw await unverified(ctx, user, input.device)
  const rehashed = ctx.passwords.isOutdated(user.password_hash ?? '') ? await ctx.passwords.hash(password) : undefined
  return transact(ctx, async (tx) => {
    const created = await createSession(tx, {
      userId: user.id,
      proof: 'password',
      device: input.device,
      deviceId: input.deviceId,
      replaces: input.replaces,
      confirmation: input.confirmation,
      check: (present) => assertSamePassword(present, user, 'INVALID_CREDENTIALS'),
    })
    if (rehashed) await setPasswordHash(tx.db, user.id, rehashed)
    await notifyNewDevice(tx, created, { device: input.device, known })
    return rehashed
      ? { ...created, owner: deviceOwnerOf(ctx.config, { id: user.id, password_hash: rehashed }) }
      : created
  })
}

const foldedIdentifier = (input: string): string => canonicalEmail(input) ?? input.trim()

const recordFailure = (ctx: Context, user: UserWithPassword | undefined, identifier: string, device: RequestDevice) =>
  recordAudit(ctx, {
    event: 'login_fail',
    outcome: 'failure',
    target: user?.id,
    device,
    details: { reason: 'credentials', identifier: auditedContact(ctx, identifier) },
  })

async function unverified(ctx: Context, user: UserWithPassword, device: RequestDevice): Promise<AppError> {
  await recordAudit(ctx, {
    event: 'login_fail',
    outcome: 'failure',
    target: user.id,
    device,
    details: { reason: 'unverified' },
  })
  return new AppError('EMAIL_NOT_VERIFIED')
}
