import { recordAudit } from '../audit/record.ts'
import type { Context, RequestDevice, SessionView } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../lib/errors.ts'
import { day } from '../lib/time.ts'
import { issueChallenge } from '../webauthn/challenge.ts'
import { warmUp } from '../webauthn/check-response.ts'
import { assertRoomForPasskey } from '../webauthn/keep-passkey.ts'
import { creationOptions } from '../webauthn/options.ts'
import { listCredentials } from '../webauthn/queries.ts'
import { offersPasskeys, relyingPartyOf } from '../webauthn/relying-party.ts'
import { lockOwner } from './change-rights.ts'
import { noteOffer } from './offer-queries.ts'
import { assertUpgradesOn, upgradeBinding, upgradeEnd, upgradeObstacle } from './upgrade-rights.ts'

/** Returns options with which the browser creates a passkey without asking the user. They end with the right to do so. */
export async function startUpgrade(ctx: Context, view: SessionView, device: RequestDevice) {
  assertUpgradesOn(ctx)
  warmUp()
  const started = await transact(ctx, async (tx) => {
    const user = await lockOwner(tx, view)
    const reason = upgradeObstacle(tx, { ...view, user })
    if (reason) return { reason }
    await assertRoomForPasskey(tx, user.id)
    const lifetime = upgradeEnd(tx, view) - tx.clock.now()
    const challenge = await issueChallenge(tx, { ...upgradeBinding(view), lifetime })
    const existing = await listCredentials(tx.db, user.id)
    const creation = {
      user,
      challenge,
      lifetime,
      existing,
      requires: 'required',
      userVerification: 'preferred',
    } as const
    return { options: creationOptions(relyingPartyOf(tx.config), creation), expiresIn: Math.floor(lifetime / 1000) }
  })
  if (!('reason' in started)) return started
  await recordAudit(ctx, {
    event: 'passkey_rejected',
    outcome: 'failure',
    actor: view.user,
    target: view.user.id,
    device,
    details: { reason: started.reason, via: 'upgrade' },
  })
  if (started.reason === 'passwords_disabled') throw new AppError('PASSWORDS_DISABLED')
  throw new AppError('FORBIDDEN', {
    sentence: 'This requires a full session whose user has signed in with a password in the last five minutes',
  })
}

const offerInterval = 30 * day

/**
 * Whether the user should now be offered a passkey. If so, the offer is recorded in the same statement, so that two tabs
 * get only one. Users who decline it, or do not respond, are asked again after 30 days.
 */
export async function requestOffer(ctx: Context, view: SessionView): Promise<boolean> {
  if (!offersPasskeys(ctx) || ctx.config.PASSKEY_UPGRADE !== 'offer' || upgradeObstacle(ctx, view)) return false
  const now = ctx.clock.now()
  return noteOffer(ctx.db, view.user.id, { now: new Date(now), lastBefore: new Date(now - offerInterval) })
}
