import type { Context } from '../context.ts'
import type { RetryOutages } from '../import/retry-outages.ts'

export interface RunOptions {
  /** Default: the command fails if it cannot open the database at once. */
  retry?: RetryOutages
}

/** Runs `work` with a context, but without the server or jobs. */
export async function runWithContext(
  adviceWhenBusy: string,
  work: (ctx: Context) => Promise<void>,
  { retry }: RunOptions = {},
): Promise<void> {
  const { readEnvironment } = await import('./environment.ts')
  const { openContext } = await import('./open-app.ts')
  const environment = await readEnvironment('command')
  const open = () => openContext(environment, adviceWhenBusy)
  const { ctx, close } = await (retry ? retry(open) : open())
  try {
    await work(ctx)
  } finally {
    await close()
  }
}
