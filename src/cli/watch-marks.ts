import type { App } from '../app.ts'
import { assertUsable, UnusableDatabase } from '../db/installation-marks.ts'
import { second } from '../lib/time.ts'

const every = 5 * second

/** A node that was not noticed by a move or restore must not serve data that is no longer current. */
export function watchMarks({ ctx, database }: App, onUnusable: (error: Error) => void): void {
  if (database.kind === 'embedded') return
  const timer = setInterval(() => {
    assertUsable(ctx.db).catch((error) => {
      if (!(error instanceof UnusableDatabase)) return
      clearInterval(timer)
      onUnusable(error)
    })
  }, every).unref()
}
