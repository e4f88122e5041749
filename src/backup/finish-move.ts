import type { ContextOptions } from '../create-context.ts'
import { clearMarks } from '../db/installation-marks.ts'
import { prepareJobs } from '../jobs/start.ts'
import { endAllSessions } from '../sessions/end-all-sessions.ts'
import { withContext } from './with-context.ts'

interface Options extends ContextOptions {
  endSessions: boolean
}

/** Makes a move's target usable. Each step can be repeated, so the next run can complete an interrupted move. */
export async function finishMove({ endSessions, ...options }: Options): Promise<void> {
  await prepareJobs(options.database)
  if (endSessions) await withContext(options, (ctx) => endAllSessions(ctx, () => {}))
  await clearMarks(options.database.db, ['moving'])
}
