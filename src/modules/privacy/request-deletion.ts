import { recordingDenial } from '../../admin/locked-target.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Context, SessionView, Transaction, UserRow } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { iso } from '../../lib/time.ts'
import { enqueueJob, enqueueMail, greetedName } from '../../outbox/enqueue.ts'
import { proveIdentity } from '../../passwords/prove-identity.ts'
import { lockCaller } from '../../sessions/authenticate.ts'
import type { SignInDevice } from '../../sessions/remembered-browsers.ts'
import { isLastSuperadmin } from '../../sign-in-methods/last-superadmin.ts'
import { type DeletionRequest, findRequest, insertRequest } from './deletion-queries.ts'
import type { PrivacyEventOrigin } from './history.ts'
import { recordPrivacyEvent } from './history.ts'

/** The job runs due deletions immediately instead of at the next cleanup. */
export const deletionJob = 'due_deletions'

/** The page with the button that cancels the deletion. */
const cancelPagePath = '/account/privacy'

interface OwnRequest extends SignInDevice {
  currentPassword: string | undefined
  reason: string | undefined
}

export async function requestOwnDeletion(
  ctx: Context,
  view: SessionView,
  { currentPassword, reason, ...from }: OwnRequest,
): Promise<DeletionRequest> {
  const { device } = from
  await proveIdentity(ctx, view, { ...from, currentPassword })
  const details = () => ({ deed: 'delete' })
  return recordingDenial(ctx, { actor: view.user, target: view.user.id, device, details }, () =>
    transact(ctx, async (tx) => {
      const user = await lockCaller(tx, view)
      if (user.user_type === 'superadmin' && (await isLastSuperadmin(tx, user.id)))
        throw new AppError('LAST_SUPERADMIN')
      return scheduleDeletion(tx, user, { actor: user, source: 'self', device, reason })
    }),
  )
}

/** Does not change a pending request. The caller has locked the user. */
export async function scheduleDeletion(
  tx: Transaction,
  user: UserRow,
  { actor, source, device, reason }: PrivacyEventOrigin & { reason: string | undefined },
): Promise<DeletionRequest> {
  const now = tx.clock.date()
  const grace = tx.config.PRIVACY_DELETION_GRACE
  const times = { requested_at: now, scheduled_for: new Date(now.getTime() + grace) }
  const row = { id: newId(), user_id: user.id, reason: reason ?? null, ...times }
  if (await insertRequest(tx.db, row)) {
    await recordPrivacyEvent(tx, { userId: user.id, event: 'deletion_requested', source, device })
    const details = { scheduled_for: iso(times.scheduled_for) }
    await recordAudit(tx, { event: 'deletion_requested', actor, target: user.id, device, details })
    const deletion_url = `${tx.config.PUBLIC_URL}${cancelPagePath}`
    const variables = { name: greetedName(user), ...details, deletion_url }
    await enqueueMail(tx, { message: 'deletion_requested', account: user, to: user.email, lang: user.lang, variables })
    if (grace === 0) await enqueueJob(tx, deletionJob, {})
  }
  const request = await findRequest(tx.db, user.id)
  if (!request) throw new Error('could not read a request that was just inserted')
  return request
}
