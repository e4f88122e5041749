import { setTimeout as sleep } from 'node:timers/promises'
import { call, loginAt, type Registered, registerAt, validateAt } from './nodes.ts'

export interface Load {
  /** The number of responses so far, by status. 0 means no response. */
  counts: Record<number, number>
  /** The longest response time so far, in milliseconds. */
  longest(): number
  /** Resets the counters. */
  reset(): void
  stop(): Promise<void>
}

const workerCount = 8
const longestRun = 60_000

/** The load's users sign in so often that the default limit would end their sessions. */
export const loadSettings = { SESSION_MAX_PER_USER: '1000' }

/** Repeats validations, profile reads and sign-ins on all nodes. */
export async function startLoad(urls: string[]): Promise<Load> {
  const people = await Promise.all(Array.from({ length: workerCount }, () => registerAt(urls[0]!)))
  const load = { counts: {} as Record<number, number>, longest: 0 }
  let stopped = false
  // The load also ends if a test fails before stopping it.
  const end = performance.now() + longestRun
  const requests = [
    (url: string, { sessionToken }: Registered) => validateAt(url, sessionToken),
    (url: string, { sessionToken }: Registered) =>
      call(`${url}/auth/me`, { headers: { 'x-session-id': sessionToken } }),
    (url: string, { sessionToken }: Registered) => validateAt(url, sessionToken),
    (url: string, { email, password }: Registered) => loginAt(url, { email, password }),
  ]
  const work = async (user: Registered, worker: number) => {
    for (let index = worker; !stopped && performance.now() < end; index++) {
      const started = performance.now()
      const status = await requests[index % requests.length]!(urls[(index >> 2) % urls.length]!, user).then(
        (answer) => answer.status,
        () => 0,
      )
      load.counts[status] = (load.counts[status] ?? 0) + 1
      load.longest = Math.max(load.longest, performance.now() - started)
      await sleep(5)
    }
  }
  const workers = people.map(work)
  return {
    get counts() {
      return load.counts
    },
    longest: () => load.longest,
    reset() {
      load.counts = {}
      load.longest = 0
    },
    async stop() {
      stopped = true
      await Promise.all(workers)
    },
  }
}

export const share = (counts: Record<number, number>, isFailure: (status: number) => boolean): number => {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const failed = Object.entries(counts).filter(([status]) => isFailure(Number(status)))
  return failed.reduce((sum, [, count]) => sum + count, 0) / all
}
