import type { Context } from '../context.ts'

/** Runs `work` with a context, but without the server or jobs. */
export async function runWithContext(adviceWhenBusy: string, work: (ctx: Context) => Promise<void>): Promise<void> {
  const { readEnvironment } = await import('./environment.ts')
  const { openContext } = await import('./open-app.ts')
  const { ctx, close } = await openContext(await readEnvironment('command'), adviceWhenBusy)
  try {
    await work(ctx)
  } finally {
    await close()
  }
}
