import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError } from '../lib/errors.ts'
import { type CreatedSession, createSession } from '../sessions/create-session.ts'
import type { DeviceOwner } from '../sessions/remembered-browsers.ts'
import { notifyNewDevice } from '../sessions/remembered-browsers.ts'
import { challengeIn, type PasskeyAssertion, readAssertion } from '../webauthn/check-response.ts'
import { requestOptions } from '../webauthn/options.ts'
import { findPasskey, isStored, noteSignIn, type StoredPasskey, type UsedChallenge } from '../webauthn/queries.ts'
import { relyingPartyOf, userHandleOf } from '../webauthn/relying-party.ts'
import type { PasskeyResponse } from '../webauthn/schemas.ts'
import {
  issueSignInChallenge,
  signInChallengeLifetime as lifetime,
  readSignInChallenge,
} from '../webauthn/sign-in-challenge.ts'

/** The authenticator selects the passkey, so the request does not identify a user and nothing is stored. */
export function startPasskeyLogin(ctx: Context) {
  const { id, challenge } = issueSignInChallenge(ctx)
  const asking = { challenge, lifetime, allowed: [], userVerification: 'required' } as const
  return { challengeId: id, options: requestOptions(relyingPartyOf(ctx.config), asking), expiresIn: lifetime / 1000 }
}

interface PasskeyLogin {
  challengeId: string
  response: PasskeyResponse
  device: RequestDevice
  deviceId: string | undefined
  replaces: readonly string[]
  isKnown: (owner: DeviceOwner) => boolean
}

/** A passkey counts as two factors: possession of the device, and user verification. */
export async function passkeyLogin(ctx: Context, login: PasskeyLogin): Promise<CreatedSession> {
  const { response, device } = login
  const passkey = await findPasskey(ctx.db, Buffer.from(response.id, 'base64url'))
  // Unknown passkeys are checked against a dummy key so that the response time does not reveal which passkeys exist.
  const demand = { publicKey: passkey?.public_key ?? nobodysKey, userVerification: 'required' } as const
  const assertion = await readAssertion(relyingPartyOf(ctx.config), response, demand)
  try {
    if (!passkey) throw await rejectionOfUnknown(ctx, response)
    if (!assertion || response.response.userHandle !== userHandleOf({ id: passkey.user_id }))
      throw rejection('response')
    const challenge = readSignInChallenge(ctx, login.challengeId, challengeIn(response) ?? '')
    if (!challenge) throw rejection('challenge')
    return await transact(ctx, (tx) => signIn(tx, { ...login, passkey, assertion, challenge }))
  } catch (error) {
    if (error instanceof AppError && error.code !== 'ACCOUNT_BLOCKED') await recordFailure(ctx, error, passkey, device)
    throw error
  }
}

interface CheckedLogin extends PasskeyLogin {
  passkey: StoredPasskey
  assertion: PasskeyAssertion
  challenge: UsedChallenge
}

/** Uses the challenge last, because users are locked before one-time tokens. */
async function signIn(tx: Transaction, login: CheckedLogin): Promise<CreatedSession> {
  const { passkey, assertion, challenge, device, replaces, isKnown } = login
  const created = await createSession(tx, {
    userId: passkey.user_id,
    proof: 'passkey',
    device,
    deviceId: login.deviceId,
    replaces,
    check: ({ is_verified }) => {
      if (tx.config.VERIFY_REGISTRATION && !is_verified)
        throw new AppError('EMAIL_NOT_VERIFIED', { cause: 'unverified' })
    },
  })
  await notifyNewDevice(tx, created, { device, known: isKnown(created.owner) })
  const { isCurrent, isUnused } = await noteSignIn(tx.db, passkey.id, assertion, challenge)
  if (!isCurrent) throw rejection('sign_count')
  if (!isUnused) throw rejection('challenge')
  return created
}

/**
 * All failures get the same error. Only the audit event contains the reason. An id that no user has is reported, because
 * the browser that has the passkey should forget it. Ids are random, so nobody else can ask for them.
 */
const rejection = (cause: string, more: { unknownCredential?: true } = {}): AppError =>
  new AppError('INVALID_CREDENTIALS', { cause, ...more })

/** A deleted user can be restored, so the browser keeps the passkey. */
const rejectionOfUnknown = async ({ db }: Context, { id }: PasskeyResponse): Promise<AppError> =>
  rejection('unknown_passkey', (await isStored(db, Buffer.from(id, 'base64url'))) ? {} : { unknownCredential: true })

const recordFailure = (ctx: Context, { cause }: AppError, passkey: StoredPasskey | undefined, device: RequestDevice) =>
  recordAudit(ctx, {
    event: 'login_fail',
    outcome: 'failure',
    target: passkey?.user_id,
    device,
    details: { reason: typeof cause === 'string' ? cause : 'credentials', proof: 'passkey' },
  })

/** An ES256 key in COSE format whose private key has been discarded. */
const nobodysKey = Buffer.from(
  'pQECAyYgASFYICV2qXEFMQ0_Rdor4HS2NU84DTWA-GvQOoqkpXv1KVCuIlgg-7xmR6_9NuP5Ti1bFOOHiJSWlU-3JP_1oPclHuWp3GI',
  'base64url',
)
