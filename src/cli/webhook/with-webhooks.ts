import type { Context } from '../../context.ts'
import { explainingRejections } from '../explain-rejection.ts'
import { runWithContext } from '../run-with-context.ts'

export const withWebhooks = (work: (ctx: Context) => Promise<void>): Promise<void> =>
  runWithContext(adviceWhenBusy, (ctx) => work(ctx).catch(explainingRejections(unknown)))

const unknown = 'There is no such webhook or delivery: pass an id that "wardenry webhook list" prints'

export const webhookPlace = {
  webhook: { type: 'positional', description: 'id of the webhook', required: true },
} as const

export const headerOption = {
  'headers-stdin': {
    type: 'boolean',
    description: 'read custom headers from standard input, one "Name: value" per line; no line removes all headers',
  },
} as const

/** Reads standard input because the values may be credentials, and other users can see a process's arguments. */
export async function headersFromInput(isWanted: boolean | undefined) {
  if (!isWanted) return {}
  const { readInput } = await import('../ask.ts')
  const { readHeaderLines } = await import('../../lib/header-lines.ts')
  return { headers: readHeaderLines(await readInput()) }
}

const adviceWhenBusy = `If that process is the service, a superadmin can manage webhooks without stopping it, at /admin/webhooks.
Otherwise stop it, run this command, and start it again.`
