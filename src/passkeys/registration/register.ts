import { recordAudit } from '../../audit/record.ts'
import type { Context, Transaction } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { checkingRegistration, type RegistrationCheck } from '../../hooks/registration-check.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { AppError, emailTaken } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { consumeTokenById } from '../../one-time-tokens/queries.ts'
import { registerUser } from '../../registration/register-user.ts'
import { type CreatedSession, createSession } from '../../sessions/create-session.ts'
import { consumeChallenge } from '../../webauthn/challenge.ts'
import { type CreatedPasskey, challengeIn, readRegistration } from '../../webauthn/check-response.ts'
import { keepPasskey } from '../../webauthn/keep-passkey.ts'
import { relyingPartyOf } from '../../webauthn/relying-party.ts'
import type { PasskeyResponse } from '../../webauthn/schemas.ts'
import { issueMissingCodes } from '../issue-codes.ts'
import { assertRegistrable } from './send-code.ts'

interface Registration {
  registrationId: string
  response: PasskeyResponse
  name: string | undefined
  last_name: string | undefined
  device: RequestDevice
  deviceId: string | undefined
  replaces: readonly string[]
}

export interface RegisteredByPasskey {
  created: CreatedSession
  recoveryCodes: string[] | undefined
  /** Whether a password manager can keep a copy of the passkey. */
  isSynced: boolean
}

/** Creates a user without a password. The code has proven the email address. */
export async function registerByPasskey(ctx: Context, registration: Registration): Promise<RegisteredByPasskey> {
  const { response, device } = registration
  await assertRegistrable(ctx, device)
  const passkey = await readRegistration(relyingPartyOf(ctx.config), response, 'verified')
  try {
    if (!passkey) throw rejection('response')
    return await checkingRegistration(ctx, (check) =>
      transact(ctx, (tx) => createAccount(tx, { ...registration, passkey, check })),
    )
  } catch (error) {
    const reason = error instanceof AppError ? reasonOf(error) : undefined
    if (reason) await recordRejection(ctx, reason, device)
    throw error
  }
}

interface CheckedRegistration extends Registration {
  passkey: CreatedPasskey
  check: RegistrationCheck
}

/** If this throws, the transaction is rolled back, and the code and the challenge remain valid. */
async function createAccount(tx: Transaction, input: CheckedRegistration): Promise<RegisteredByPasskey> {
  const { registrationId, response, passkey, check, device, deviceId, replaces, name, last_name } = input
  const binding = { ceremony: 'passkey_registration', userId: null, target: registrationId } as const
  // The challenge exists only if the code was right. Its id becomes the id of the user, whom the passkey names.
  const id = await consumeChallenge(tx, challengeIn(response) ?? '', binding)
  if (id === undefined) throw rejection('challenge')
  const code = await consumeTokenById(tx.db, 'passkey_registration_code', registrationId, tx.clock.date())
  if (!code?.target) throw rejection('code')
  const names = { ...(name !== undefined && { name }), ...(last_name !== undefined && { last_name }) }
  const candidate = { ...names, id, method: 'passkey', email: code.target, is_verified: true, device } as const
  const creation = await registerUser(tx, candidate, check)
  if ('isClosed' in creation) throw new AppError('REGISTRATION_DISABLED')
  // The address was proven, so this reveals nothing to others.
  if ('taken' in creation) throw emailTaken()
  const { user } = creation
  if (!(await keepPasskey(tx, user, { id: newId(), created: passkey, via: 'registration', device })))
    throw rejection('registered')
  return {
    recoveryCodes: await issueMissingCodes(tx, { ...user, password_hash: null }, device),
    created: await createSession(tx, { userId: user.id, proof: 'passkey', device, deviceId, replaces }),
    isSynced: passkey.be,
  }
}

const rejection = (cause: string): AppError =>
  new AppError('INVALID_CODE', { cause, sentence: 'The passkey could not be added. Try again.' })

/** Undefined for errors that are recorded elsewhere. */
function reasonOf({ code, cause }: AppError): string | undefined {
  if (code === 'INVALID_CODE') return String(cause)
  if (code === 'EMAIL_TAKEN') return 'taken'
  return code === 'REGISTRATION_DISABLED' ? 'disabled' : undefined
}

const recordRejection = (ctx: Context, reason: string, device: RequestDevice) =>
  recordAudit(ctx, { event: 'passkey_rejected', outcome: 'failure', device, details: { reason } })
