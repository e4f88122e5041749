import type { Context } from '../../../context.ts'
import { hasExtension } from '../components.ts'
import { daysBefore } from './day-key.ts'
import { removeBefore } from './queries.ts'

/** The retention periods in days. Viewer ids are needed only to count each viewer at most once a day. */
const retentionDays = { viewers: 2, counts: 400 }
const batch = 1_000

const removing =
  (table: Parameters<typeof removeBefore>[1], days: number) =>
  async (ctx: Context): Promise<number> =>
    hasExtension(ctx, 'ext-views') ? removeBefore(ctx.db, table, daysBefore(ctx.clock.now(), days - 1), batch) : 0

export const viewCleanupJobs = {
  view_secrets: removing('post_view_secrets', retentionDays.viewers),
  view_keys: removing('post_view_keys', retentionDays.viewers),
  view_days: removing('post_view_days', retentionDays.counts),
}
