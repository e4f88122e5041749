import { recordAudit } from '../../audit/record.ts'
import type { Context, SessionView } from '../../context.ts'
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
