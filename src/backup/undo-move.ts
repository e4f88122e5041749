import { deleteAllSecrets } from '../applications/secrets/queries.ts'
import { commandLine, recordAudit } from '../audit/record.ts'
import type { ContextOptions } from '../create-context.ts'
import type { Database } from '../db/connect.ts'
import { clearMarks } from '../db/installation-marks.ts'
import { transact } from '../db/transact.ts'
import { skipPositions } from '../events/queries.ts'
import { type EndedAll, endAllSessions } from '../sessions/end-all-sessions.ts'
import { findInstalledComponents } from './find-components.ts'
import { acceptWrites } from './move-queries.ts'
import { type PostponedDeletions, postponeDeletions } from './postpone-deletions.ts'
import { endProviderVisits, expireMessages, raiseAllEpochs } from './queries.ts'
import { withContext } from './with-context.ts'
import { withdrawRestored } from './withdraw-restored.ts'

interface Options extends ContextOptions {
  /** The value of the mark that the move set in the source. */
  moved: string
  keepSessions: boolean
}

interface UndoneMove {
  ended: EndedAll | undefined
  postponed: PostponedDeletions
  /** The number of applications' secrets that no longer work. */
  revoked: number
  /** The number of API keys that were ended. */
  keys: number
}

/**
 * Makes a move's source usable again. By default, ends all sessions and invalidates all links, because users may have
 * ended sessions and used links in the other database. Each step can be repeated, and the mark is cleared last.
 */
export async function undoMove({ moved, keepSessions, ...options }: Options): Promise<UndoneMove> {
  await reopen(options.database, keepSessions)
  return withContext(options, async (ctx) => {
    const ended = keepSessions ? undefined : await endAllSessions(ctx, () => {})
    const keys = keepSessions ? 0 : await ctx.endModuleCredentials()
    const installed = await findInstalledComponents(ctx.db, options.modules)
    const finished = await transact(ctx, async (tx) => {
      // Readers may have seen events of the other database at the same positions.
      await skipPositions(tx.db)
      const delayed = await postponeDeletions({ ...ctx, db: tx.db }, installed, options.modules)
      const revoked = keepSessions ? 0 : await deleteAllSecrets(tx.db)
      await withdrawRestored(tx, { keepSessions }, installed, options.modules)
      const details = {
        to: moved,
        sessions: keepSessions ? 'kept' : 'ended',
        revoked_application_secrets: revoked,
        ended_keys: keys,
        postponed_deletions: delayed.deletions + delayed.erasures,
      }
      await recordAudit(tx, { event: 'move_undone', actor: commandLine, details })
      await clearMarks(tx.db, ['moved'])
      return { postponed: delayed, revoked }
    })
    return { ended, keys, ...finished }
  })
}

const reopen = (database: Database, keepSessions: boolean): Promise<void> =>
  database.alone((db) =>
    db.transaction().execute(async (tx) => {
      await acceptWrites(tx)
      await raiseAllEpochs(tx)
      if (keepSessions) return
      await expireMessages(tx, new Date(), 'the move was undone')
      await endProviderVisits(tx)
    }),
  )
