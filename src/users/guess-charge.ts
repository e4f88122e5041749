import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { minute, second } from '../lib/time.ts'
import {
  type AccountState,
  countInFlight,
  endInFlight,
  findFailureCount,
  forgiveAndEndInFlight,
  returnCharge,
} from './counter-queries.ts'

/** In milliseconds. An attempt that is still in progress after this time is assumed to belong to a killed process. */
const noteLifetime = minute / 2
const maxWait = 2 * second
const lookEvery = 100
const maxWaiting = 64

let waiting = 0

export interface AttemptCharge {
  state: AccountState
  /** `later` means that the limit is reached, but some attempts are still being checked and may prove to be correct. */
  verdict: 'evaluate' | 'refuse' | 'later'
  /** Call this if the credential was correct. Clears all previous failures. */
  forgive(): Promise<unknown>
  /** Call this if the credential could not be checked. The attempt is no longer counted. Earlier failures still are. */
  refund(): Promise<void>
  /** Call this if the credential was wrong. The attempt still counts. */
  keep(): Promise<unknown>
}

/**
 * Counts the attempt before the check. If the attempts in progress already use up the limit, waits up to 2 s for them
 * to finish.
 */
export async function countAttempt(
  ctx: Context,
  key: string,
  window: { attempts: number; lengthMs: number },
): Promise<AttemptCharge> {
  const deadline = performance.now() + maxWait
  for (;;) {
    const now = ctx.clock.now()
    const state = await countInFlight(ctx.db, key, {
      now: new Date(now),
      windowEnd: new Date(now + window.lengthMs),
      noteEnd: new Date(now + noteLifetime),
      max: window.attempts,
    })
    const verdict = await judge(ctx, key, state, window.attempts, deadline)
    if (verdict !== 'again') return { state, verdict, ...outcomes(ctx, key, window.attempts) }
  }
}

const outcomes = ({ db }: Context, key: string, attempts: number) => ({
  forgive: () => forgiveAndEndInFlight(db, key),
  keep: () => endInFlight(db, key),
  async refund() {
    await returnCharge(db, key, attempts)
    await endInFlight(db, key)
  },
})

async function judge(
  ctx: Context,
  key: string,
  { locked_until, failures }: AccountState,
  attempts: number,
  deadline: number,
): Promise<AttemptCharge['verdict'] | 'again'> {
  if (locked_until) return 'refuse'
  if (failures <= attempts) return 'evaluate'
  for (;;) {
    const found = await findFailureCount(ctx.db, key, ctx.clock.date())
    if (found.failures < attempts) return 'again'
    if (found.under_way === 0) return 'refuse'
    if (waiting >= maxWaiting || performance.now() > deadline) return 'later'
    waiting++
    await sleep(lookEvery).finally(() => waiting--)
  }
}
