import { deleteAllSecrets } from '../applications/secrets/queries.ts'
import { commandLine, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { clearMarks } from '../db/installation-marks.ts'
import { transact } from '../db/transact.ts'
import { skipPositions } from '../events/queries.ts'
import type { LoadedModule } from '../hub/define-module.ts'
import { minute } from '../lib/time.ts'
import { type EndedAll, endAllSessions } from '../sessions/end-all-sessions.ts'
import { disableRestoredWebhooks } from '../webhooks/queries.ts'
import { BackupChanged, type BackupEnd, type BackupHeader, countInPart, partOfTable, picturesName } from './format.ts'
import { type PostponedDeletions, postponeDeletions } from './postpone-deletions.ts'
import { endProviderVisits, expireMessages, expireOldMails } from './queries.ts'
import { type BackupFile, readBackup } from './read-backup.ts'
import { withdrawRestored } from './withdraw-restored.ts'
import type { OnProgress } from './write-backup.ts'

/** A working service delivers messages within this time, so older messages may already have been sent. */
const maxMailAge = 15 * minute

interface Options {
  file: BackupFile
  verified: { header: BackupHeader; end: BackupEnd }
  modules: readonly LoadedModule[]
  keepSessions: boolean
  /** Implied by `keepSessions`. */
  keepKeys?: boolean
  onProgress: OnProgress
}

export interface FinishedRestore {
  pictures: number
  ended: EndedAll | undefined
  postponed: PostponedDeletions
  /** The number of applications' secrets that no longer work. */
  revoked: number
  /** The number of API keys that were ended. */
  keys: number
}

/** Each step can be repeated, so the next run can complete an interrupted restore. */
export async function finishRestore(
  ctx: Context,
  { file, verified, modules, keepSessions, keepKeys = false, onProgress }: Options,
): Promise<FinishedRestore> {
  const { header, end } = verified
  const pictures = countInPart(end, picturesName) > 0 ? await restorePictures(ctx, { file, end, onProgress }) : 0
  await expire(ctx, header, keepSessions)
  const ended = keepSessions
    ? undefined
    : await endAllSessions(ctx, ({ sessions }) => onProgress('ended sessions', sessions))
  // The backup may contain keys that were revoked since.
  const keys = keepSessions || keepKeys ? 0 : await ctx.endModuleCredentials()
  const finished = await transact(ctx, async (tx) => {
    const delayed = await postponeDeletions({ ...ctx, db: tx.db }, header.modules, modules)
    const revoked = keepSessions ? 0 : await deleteAllSecrets(tx.db)
    await withdrawRestored(tx, { keepSessions }, header.modules, modules)
    const details = {
      backup: header.id,
      created_at: header.created_at,
      rows: header.tables.reduce((sum, { name }) => sum + countInPart(end, partOfTable(name)), 0),
      sessions: keepSessions ? 'kept' : 'ended',
      revoked_application_secrets: revoked,
      ended_keys: keys,
      postponed_deletions: delayed.deletions + delayed.erasures,
    }
    // Readers with a cursor from before the restore get EVENTS_EXPIRED and must read all users again.
    await skipPositions(tx.db)
    if (!keepSessions) await disableRestoredWebhooks(tx.db)
    await recordAudit(tx, { event: 'backup_restored', actor: commandLine, details })
    await clearMarks(tx.db)
    return { postponed: delayed, revoked }
  })
  return { pictures, ended, keys, ...finished }
}

/** By default, all undelivered messages expire because their links and codes are invalid after the restore. */
async function expire({ db, clock }: Context, header: BackupHeader, keepSessions: boolean): Promise<void> {
  const now = clock.date()
  if (keepSessions)
    return void (await expireOldMails(db, now, new Date(new Date(header.created_at).getTime() - maxMailAge)))
  await expireMessages(db, now)
  await endProviderVisits(db)
}

/** The checksum is compared again because the file may have been replaced since it was verified. */
async function restorePictures(
  { files }: Context,
  { file, end, onProgress }: { file: BackupFile; end: BackupEnd; onProgress: OnProgress },
): Promise<number> {
  let count = 0
  const read = await readBackup(file, {
    onPart: async (part) => {
      if (part.kind !== 'picture') return
      await files.put(part.name, part.content, 'image/webp')
      count++
      onProgress('pictures', count)
    },
  })
  if (read.end.sha256 !== end.sha256) throw new BackupChanged()
  return count
}
