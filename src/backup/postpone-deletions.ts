import type { Context } from '../context.ts'
import type { LoadedModule } from '../hub/define-module.ts'
import { day } from '../lib/time.ts'
import { postponeErasures } from '../users/queries.ts'
import type { InstalledComponent } from './format.ts'

/** Gives operators time to repeat cancellations that are missing from the data. */
const postponedFor = 7 * day

export interface PostponedDeletions {
  /** User-requested deletions. */
  deletions: number
  erasures: number
}

/** Deletions may have been cancelled after the data was copied, or in the database that the data was moved to. */
export async function postponeDeletions(
  { db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>,
  installed: readonly InstalledComponent[],
  modules: readonly LoadedModule[],
): Promise<PostponedDeletions> {
  const until = new Date(clock.now() + postponedFor)
  let deletions = 0
  for (const { id, postponeDeletions: postpone } of modules) {
    if (!postpone || !installed.some(({ module_id }) => module_id === id)) continue
    deletions += await postpone(db, until)
  }
  const deletedAt = Math.min(until.getTime() - config.DELETED_RETENTION, clock.now())
  return { deletions, erasures: await postponeErasures(db, new Date(deletedAt)) }
}
