import { recordAudit } from '../../audit/record.ts'
import type { Context, SessionView, Transaction, UserRow } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { newId } from '../../lib/ids.ts'
import { hour } from '../../lib/time.ts'
import { enqueueJob } from '../../outbox/enqueue.ts'
import { proveIdentity } from '../../passwords/prove-identity.ts'
import { exportOwnData, type PersonalExport } from '../../profile/export-data.ts'
import { lockCaller } from '../../sessions/authenticate.ts'
import type { SignInDevice } from '../../sessions/remembered-browsers.ts'
import { findExportOf, insertExport } from './export-queries.ts'
import type { PrivacyEventOrigin } from './history.ts'
import { recordPrivacyEvent } from './history.ts'
import { archiveLifetime, exportJob } from './make-export.ts'

export async function exportNow(ctx: Context, view: SessionView, device: RequestDevice): Promise<PersonalExport> {
  const data = await exportOwnData(ctx, view, device)
  await recordPrivacyEvent(ctx, { userId: view.user.id, event: 'export_made', source: 'self', device })
  return data
}

export async function requestOwnExport(
  ctx: Context,
  view: SessionView,
  { currentPassword, ...from }: SignInDevice & { currentPassword: string | undefined },
): Promise<Date> {
  await proveIdentity(ctx, view, { ...from, currentPassword })
  return transact(ctx, async (tx) => {
    const user = await lockCaller(tx, view)
    return startExport(tx, user, { actor: user, source: 'self', device: from.device })
  })
}

/** A pending export older than this is considered failed. */
const exportTimeoutMs = hour

/** Does nothing while an export is pending. The caller has locked the user. */
export async function startExport(
  tx: Transaction,
  user: UserRow,
  { actor, source, device }: PrivacyEventOrigin,
): Promise<Date> {
  const now = tx.clock.now()
  const requestedAt = new Date(now)
  const row = { id: newId(), user_id: user.id, requested_at: requestedAt, expires_at: new Date(now + archiveLifetime) }
  if (!(await insertExport(tx.db, row, new Date(now - exportTimeoutMs))))
    return (await findExportOf(tx.db, user.id))?.requested_at ?? requestedAt
  await recordAudit(tx, { event: 'export_requested', actor, target: user.id, device })
  await enqueueJob(tx, exportJob, { id: row.id, source, device })
  return requestedAt
}
