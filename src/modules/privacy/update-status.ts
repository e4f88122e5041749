import { recordAudit } from '../../audit/record.ts'
import type { Context, SessionView, Transaction } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { iso } from '../../lib/time.ts'
import { invalidateSessions } from '../../sessions/end-sessions.ts'
import { isUnendedSession } from '../../sessions/queries.ts'
import { lineField } from '../../users/fields.ts'
import { recordPrivacyEvent } from './history.ts'
import { findStatus, lockStatus, writeStatus } from './queries.ts'
import { type PrivacyStatus, type PrivacyStatusInput, planStatus } from './status.ts'

export const updatePrivacy = (
  ctx: Context,
  { user, session }: SessionView,
  input: PrivacyStatusInput,
  device: RequestDevice,
): Promise<PrivacyStatus> => {
  const requested = withCleanVersion(input)
  return transact(ctx, async (tx) => {
    const present = await lockStatus(tx.db, user.id)
    if (!present || !(await isUnendedSession(tx.db, session.id))) throw new AppError('INVALID_SESSION')
    const now = ctx.clock.date()
    const { status, changes } = planStatus(present, requested, { now, currentVersion: ctx.config.GDPR_CONSENT_VERSION })
    if (changes.length === 0) return present
    await writeStatus(tx.db, user.id, status, now)
    await invalidateSessions(tx, user.id)
    for (const { member: _member, ...entry } of changes)
      await recordPrivacyEvent(tx, { userId: user.id, source: 'self', device, ...entry })
    const details = { changed: changes.map(({ member }) => member) }
    await recordAudit(tx, { event: 'consent_changed', actor: user, target: user.id, device, details })
    return status
  })
}

/** Withdraws the consent, so that the user is asked again. Keeps a CCPA opt-out, which only protects the owner. */
export async function forgetConsent(tx: Transaction, userId: string): Promise<void> {
  const present = await lockStatus(tx.db, userId)
  if (!present?.gdpr_consent) return
  const none = { gdpr_consent: false, gdpr_consent_at: null, gdpr_consent_version: null }
  await writeStatus(tx.db, userId, { ...present, ...none }, tx.clock.date())
  const change = { old_value: 'true', new_value: 'false', version: present.gdpr_consent_version }
  await recordPrivacyEvent(tx, {
    userId,
    event: 'gdpr_consent_withdrawn',
    source: 'service',
    device: undefined,
    ...change,
  })
  await recordAudit(tx, {
    event: 'consent_changed',
    target: userId,
    details: { changed: ['gdpr_consent'], reason: 'unproven' },
  })
}

export async function privacyStatus({ db }: Context, userId: string): Promise<PrivacyStatus> {
  const status = await findStatus(db, userId)
  if (!status) throw new AppError('INVALID_SESSION')
  return status
}

export const shownStatus = ({ gdpr_consent_at, ccpa_opt_out_at, ...status }: PrivacyStatus) => ({
  ...status,
  gdpr_consent_at: gdpr_consent_at && iso(gdpr_consent_at),
  ccpa_opt_out_at: ccpa_opt_out_at && iso(ccpa_opt_out_at),
})

const field = 'gdpr_consent_version'

function withCleanVersion(requested: PrivacyStatusInput): PrivacyStatusInput {
  if (requested[field] === undefined) return requested
  const version = lineField(field, requested[field], 32)
  if (version === '') throw invalidField(field, 'must not be empty')
  return { ...requested, [field]: version }
}
