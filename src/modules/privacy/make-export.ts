import type { Context } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { seal } from '../../lib/seal.ts'
import { day } from '../../lib/time.ts'
import { issueOneTimeToken } from '../../one-time-tokens/one-time-token.ts'
import { enqueueCounted, greetedName, mayMail } from '../../outbox/enqueue.ts'
import { collectAboutUser } from '../../profile/export-data.ts'
import { lockUser } from '../../users/queries.ts'
import { deleteExportOf, findPendingExport, storeArchive } from './export-queries.ts'
import { recordPrivacyEvent } from './history.ts'
import type { PrivacyEventSource } from './rows.ts'

export const exportJob = 'personal_data_export'

export const archiveLifetime = day

export const exportDownloadPath = '/auth/privacy/exports/download'

interface ExportJob {
  id: string
  source: PrivacyEventSource
  device: RequestDevice
}

/**
 * This job is safe to repeat. The link is sent to the user's own email address, even if an administrator requested the
 * export.
 */
export async function makeExport(ctx: Context, { id, source, device }: ExportJob): Promise<void> {
  const pending = await findPendingExport(ctx.db, id)
  const collected = pending && (await collectAboutUser(ctx, pending.user_id))
  if (!pending || !collected) return
  const archive = seal(ctx.dataKeys, JSON.stringify(collected))
  await transact(ctx, async (tx) => {
    const user = await lockUser(tx, pending.user_id)
    if (!user) return
    const expiresAt = new Date(ctx.clock.now() + archiveLifetime)
    if (!(await storeArchive(tx.db, id, archive, expiresAt))) return
    // The archive can be opened only with the link in the email. If no email may be sent, the archive is deleted.
    if (!(await mayMail(tx, 'personal_data', user.email))) return void (await deleteExportOf(tx.db, user.id))
    const issue = { purpose: 'personal_data', userId: user.id, target: id, lifetime: archiveLifetime } as const
    const { secret } = await issueOneTimeToken(tx, issue)
    await recordPrivacyEvent(tx, { userId: user.id, event: 'export_made', source, device })
    const url = `${ctx.config.PUBLIC_URL}${exportDownloadPath}?token=${secret}`
    const variables = { name: greetedName(user), url, expires_in: String(archiveLifetime / 1000) }
    await enqueueCounted(tx, {
      message: 'personal_data',
      to: user.email,
      lang: user.lang,
      variables,
      expiresAt,
    })
  })
}
