import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import { checkingRegistration, type RegistrationCheck } from '../hooks/registration-check.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError } from '../lib/errors.ts'
import { sha256Bytes } from '../lib/hash.ts'
import { consumeOneTimeCode } from '../one-time-tokens/consume-code.ts'
import { consumeOneTimeToken } from '../one-time-tokens/one-time-token.ts'
import { type ConsumedToken, findOwnerId, findToken } from '../one-time-tokens/queries.ts'
import { type CreatedSession, createSession } from '../sessions/create-session.ts'
import { lockOwners } from '../sessions/end-sessions.ts'
import type { DeviceOwner } from '../sessions/remembered-browsers.ts'
import { notifyNewDevice } from '../sessions/remembered-browsers.ts'
import { isTrustedPhone, lockUser } from '../users/queries.ts'
import { acceptFirstProof } from './first-proof.ts'
import { registerNewcomer } from './newcomer.ts'
import type { LoginMethod } from './send-login.ts'

/** A token from a link, or a code with the id from the response to the code request. */
export type PresentedLogin = { token: string } | { id: string; code: string }

interface Redemption {
  presented: PresentedLogin
  /** Whether the application for which the user signs in accepts registrations. */
  registers: boolean
  device: RequestDevice
  deviceId?: string | undefined
  replaces?: readonly string[]
  confirmation?: string | undefined
  /** Undefined for requests from back ends, which have no cookies. */
  isKnown?: (owner: DeviceOwner) => boolean
}

export interface CompletedLogin {
  created: CreatedSession
  tokenId: string
  method: LoginMethod
  /** Whether this first proof of the email address removed the account's password. */
  isPasswordRemoved: boolean
}

/** Using the link or the code invalidates both. */
export async function completeLogin(ctx: Context, redemption: Redemption): Promise<CompletedLogin> {
  try {
    const redeemed = await checkingRegistration(ctx, (check) =>
      transact(ctx, (tx) => consume(tx, { ...redemption, check })),
    )
    if (!redeemed) throw notValid(redemption)
    return redeemed
  } catch (error) {
    if (error instanceof AppError) await recordRejection(ctx, redemption, error)
    throw error
  }
}

/** A redemption within a transaction. */
interface CheckedRedemption extends Redemption {
  check: RegistrationCheck
}

async function consume(tx: Transaction, redemption: CheckedRedemption): Promise<CompletedLogin | undefined> {
  const { presented, device, deviceId, replaces = [], confirmation, isKnown } = redemption
  if (replaces.length > 0) await lockAll(tx, presented, replaces)
  const proven =
    'token' in presented
      ? await consumeOneTimeToken(tx, 'login', presented.token)
      : await consumeOneTimeCode(tx, 'login', presented)
  // Returns undefined because an error would roll back the counted attempt.
  if (!proven) return undefined
  const method = proven.target?.includes('@') ? 'email' : 'sms'
  const { user, isPasswordRemoved } = await userOf(tx, proven, method, redemption)
  const by = 'token' in presented ? 'link' : 'code'
  await recordAudit(tx, {
    event: 'token_used',
    target: user.id,
    device,
    details: { token: proven.id, method, by },
  })
  const browser = { device, deviceId, replaces, confirmation }
  const created = await createSession(tx, { userId: user.id, proof: 'login_token', method, ...browser })
  const isNewcomer = proven.user_id === null
  if (isKnown && !isNewcomer) await notifyNewDevice(tx, created, { device, known: isKnown(created.owner) })
  return { created, tokenId: proven.id, method, isPasswordRemoved }
}

/**
 * Locks the token's owner and the owners of the sessions that the browser sent, who may be different users. The fixed
 * order prevents deadlocks.
 */
async function lockAll(tx: Transaction, presented: PresentedLogin, replaces: readonly string[]): Promise<void> {
  const owner =
    'token' in presented
      ? await findOwnerId(tx.db, 'login', sha256Bytes(presented.token))
      : (await findToken(tx.db, 'login', presented.id))?.user_id
  if (owner) await lockOwners(tx, replaces, owner)
}

/** If this throws, the transaction is rolled back and the token remains valid. */
async function userOf(
  tx: Transaction,
  { user_id, target }: ConsumedToken,
  method: LoginMethod,
  redemption: CheckedRedemption,
): Promise<{ user: UserRow; isPasswordRemoved: boolean }> {
  const { device } = redemption
  if (user_id === null) {
    const newcomer = target && redemption.registers && (await registerNewcomer(tx, target, redemption))
    if (!newcomer) throw notValid(redemption)
    return { user: newcomer, isPasswordRemoved: false }
  }
  const user = await lockUser(tx, user_id)
  // The token proves control of the email address or phone number in `target`, which the user may have changed since.
  if (!user || !target) throw notValid(redemption)
  const isTheirs = method === 'email' ? user.email === target : await isTrustedPhone(tx.db, user.id, target)
  if (!isTheirs) throw notValid(redemption)
  if (!user.is_verified && method === 'email')
    return { user, isPasswordRemoved: await acceptFirstProof(tx, user, device) }
  if (!user.is_verified && tx.config.VERIFY_REGISTRATION) throw new AppError('EMAIL_NOT_VERIFIED')
  return { user, isPasswordRemoved: false }
}

const notValid = ({ presented }: Redemption): AppError =>
  new AppError('token' in presented ? 'INVALID_TOKEN' : 'INVALID_CODE')

const reasons: Partial<Record<AppError['code'], string>> = {
  INVALID_TOKEN: 'login_link',
  INVALID_CODE: 'login_code',
  EMAIL_NOT_VERIFIED: 'unverified',
}

async function recordRejection(ctx: Context, { device }: Redemption, { code }: AppError): Promise<void> {
  const reason = reasons[code]
  if (!reason) return
  await recordAudit(ctx, { event: 'token_rejected', outcome: 'failure', device, details: { reason } })
}
