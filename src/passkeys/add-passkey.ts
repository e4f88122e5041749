import { recordAudit } from '../audit/record.ts'
import type { Context, SessionView } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { minute } from '../lib/time.ts'
import { proveIdentity } from '../passwords/prove-identity.ts'
import type { SignInDevice } from '../sessions/remembered-browsers.ts'
import { methodNameField } from '../users/fields.ts'
import { type ChallengeBinding, consumeChallenge, isChallengeOf, issueChallenge } from '../webauthn/challenge.ts'
import { challengeIn, readRegistration, warmUp } from '../webauthn/check-response.ts'
import { assertRoomForPasskey, keepPasskey, notifyPasskeyChange } from '../webauthn/keep-passkey.ts'
import { creationOptions } from '../webauthn/options.ts'
import { listCredentials } from '../webauthn/queries.ts'
import { relyingPartyOf } from '../webauthn/relying-party.ts'
import type { PasskeyResponse } from '../webauthn/schemas.ts'
import { assertFactorConfirmed, assertOffered, lockOwner } from './change-rights.ts'
import { issueMissingCodes } from './issue-codes.ts'
import { assertUpgradesOn, upgradeBinding, upgradeObstacle } from './upgrade-rights.ts'

const lifetime = 5 * minute

const bindingOf = ({ user, session }: SessionView): ChallengeBinding => ({
  ceremony: 'passkey_setup',
  userId: user.id,
  target: `${session.id}:settings`,
})

/** Requires a recent authentication. The passkey must be added within five minutes, in the same session. */
export async function startAdding(
  ctx: Context,
  view: SessionView,
  from: SignInDevice & { currentPassword: string | undefined },
) {
  assertOffered(ctx)
  const { currentPassword, ...device } = from
  await proveIdentity(ctx, view, { ...device, currentPassword })
  warmUp()
  return transact(ctx, async (tx) => {
    const user = await lockOwner(tx, view)
    await assertFactorConfirmed(tx, user, view)
    await assertRoomForPasskey(tx, user.id)
    const challenge = await issueChallenge(tx, { ...bindingOf(view), lifetime })
    const existing = await listCredentials(tx.db, user.id)
    const creation = { user, challenge, lifetime, existing, requires: 'required' } as const
    return { options: creationOptions(relyingPartyOf(tx.config), creation), expiresIn: lifetime / 1000 }
  })
}

interface Addition {
  response: PasskeyResponse
  name?: string | undefined
}

export interface AddedPasskey {
  id: string
  recoveryCodes: string[] | undefined
}

const addition = {
  demand: 'verified',
  via: 'settings',
  message: 'passkey_added',
  bindingOf,
  assertOn: assertOffered,
  obstacle: () => undefined,
} as const

/** The browser creates the passkey without asking the user. */
const upgrade = {
  demand: 'conditional',
  via: 'upgrade',
  message: 'passkey_created',
  bindingOf: upgradeBinding,
  assertOn: assertUpgradesOn,
  obstacle: upgradeObstacle,
} as const

/** Only the stored challenge decides whether the user had to be present. */
export async function addPasskey(
  ctx: Context,
  view: SessionView,
  { response, name: text }: Addition,
  { device }: SignInDevice,
): Promise<AddedPasskey> {
  const name = text === undefined ? undefined : methodNameField('name', text)
  const challenge = challengeIn(response) ?? ''
  const creation = (await isChallengeOf(ctx, 'passkey_upgrade', challenge)) ? upgrade : addition
  creation.assertOn(ctx)
  const created = await readRegistration(relyingPartyOf(ctx.config), response, creation.demand)
  const added = await transact(ctx, async (tx) => {
    const user = await lockOwner(tx, view)
    await assertFactorConfirmed(tx, user, view)
    const obstacle = creation.obstacle(tx, { ...view, user })
    if (obstacle) return { refused: obstacle }
    await assertRoomForPasskey(tx, user.id)
    if (!created) return { refused: 'response' }
    if (!(await consumeChallenge(tx, challenge, creation.bindingOf(view)))) return { refused: 'challenge' }
    const id = newId()
    const passkey = await keepPasskey(tx, user, { id, created, via: creation.via, name, device })
    if (passkey === undefined) return { refused: 'registered' }
    await notifyPasskeyChange(tx, user, { message: creation.message, passkey, device })
    return { id, recoveryCodes: await issueMissingCodes(tx, user, device) }
  })
  if (!('refused' in added)) return added
  const details = { reason: added.refused, via: creation.via }
  await recordAudit(ctx, {
    event: 'passkey_rejected',
    outcome: 'failure',
    actor: view.user,
    target: view.user.id,
    device,
    details,
  })
  throw new AppError('INVALID_CODE', { sentence: 'The passkey could not be added. Try again.' })
}
