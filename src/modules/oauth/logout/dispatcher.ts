import { onePerDatabase } from '../../../context/one-per-database.ts'
import type { Context } from '../../../context.ts'
import { coalescedRunner } from '../../../jobs/job-scheduler.ts'
import { hour, second } from '../../../lib/time.ts'
import { findClientViews } from '../clients/client-queries.ts'
import type { Client } from '../clients/client-view.ts'
import { type ClaimedLogout, claimLogouts } from './delivery-queries.ts'
import { giveUpWaiting, recordLogout } from './record-delivery.ts'
import { sendLogoutToken } from './send-logout-token.ts'

/** At once. */
const maxRunning = 50
const maxOfClient = 4

/** Longer than a call can take. If a node is killed, another one repeats the call after this time. */
const claimMs = 15 * second

/** For how long calls wait while the module is disabled. All attempts take less than half of it. */
const maxWait = hour
const batch = 1_000

/** Calls the clients whose sessions have ended. Runs on every node, and the database distributes the work. */
export const logoutDispatcherOf = onePerDatabase((ctx) => {
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  const round = coalescedRunner(
    () => deliverDue(ctx, { running, signal: stopping.signal, onDone: () => round.wake() }),
    (err) => ctx.log.warn({ err }, 'could not read which clients to sign users out of; will be retried'),
  )
  return {
    wake: round.wake,
    async stop(): Promise<void> {
      stopping.abort()
      await round.idle()
      await Promise.all(running)
    },
  }
})

interface Work {
  running: Set<Promise<void>>
  signal: AbortSignal
  onDone(): void
}

async function deliverDue(ctx: Context, work: Work): Promise<void> {
  const limit = maxRunning - work.running.size
  if (work.signal.aborted || limit <= 0) return
  const now = ctx.clock.date()
  await giveUpWaiting(ctx, { createdBefore: new Date(now.getTime() - maxWait), now, limit: batch })
  const until = new Date(now.getTime() + claimMs)
  const claimed = await claimLogouts(ctx.db, { now, until, limit, perClient: maxOfClient })
  if (claimed.length === 0) return
  const clients = await findClientViews(ctx, { ids: [...new Set(claimed.map(({ client_id }) => client_id))] })
  for (const logout of claimed) {
    const client = clients.find(({ id }) => id === logout.client_id)
    if (client) start(ctx, work, client, logout)
  }
}

function start(ctx: Context, { running, signal, onDone }: Work, client: Client, logout: ClaimedLogout): void {
  const call: Promise<void> = deliver(ctx, client, logout, signal)
    .catch((err) => ctx.log.warn({ err, client: client.clientId }, 'could not record a logout call'))
    .finally(() => {
      running.delete(call)
      onDone()
    })
  running.add(call)
}

async function deliver(ctx: Context, client: Client, logout: ClaimedLogout, signal: AbortSignal): Promise<void> {
  const uri = client.signIn.backchannelUri
  const isWanted = client.isLive && uri !== null
  const failure = isWanted ? await sendLogoutToken(ctx, { client, uri, logout, signal }) : 'the client is disabled'
  // The call was aborted at shutdown. When the claim expires, another node repeats it.
  if (failure !== undefined && signal.aborted) return
  await recordLogout(ctx, client, logout, failure)
}
