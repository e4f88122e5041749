import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, loginAt, registerAt, validateAt } from '../nodes/nodes.ts'

/** How often a process is killed: KILL_ROUNDS=25 looks closer than there is time for every day. */
export const killRounds = Number(process.env.KILL_ROUNDS ?? 5)

/** What a service has acknowledged, kept outside of it: none of it may be lost, whatever happens to the service. */
export interface Journal {
  emails: string[]
  /** Bearer values of sessions that are open. */
  open: Set<string>
  /** Bearer values of sessions that were ended by a logout. */
  ended: string[]
}

export const newJournal = (): Journal => ({ emails: [], open: new Set(), ended: [] })

interface Options {
  workers?: number
  /** Hears of requests that were not answered as they should, before the load was stopped. */
  onFailure?: (error: unknown) => void
}

/** Registers people, signs them in and out, and writes down what is acknowledged, until it is stopped. */
export function keepBusy(url: string, journal: Journal, options: Options = {}) {
  const { workers: count = 4, onFailure = () => {} } = options
  let stopped = false
  // A test that fails before it stops the load must end all the same.
  const end = performance.now() + 60_000
  const live = async () => {
    const ada = await registerAt(url)
    journal.emails.push(ada.email)
    journal.open.add(ada.sessionToken)
    const { status, json } = await loginAt(url, ada)
    if (status !== 200) throw new Error(`sign-in answered ${status}`)
    journal.open.add(json.sessionId)
    // Until the answer is here, nobody can say whether the session is open.
    journal.open.delete(ada.sessionToken)
    const ended = await call(`${url}/auth/logout`, { method: 'POST', headers: { 'x-session-id': ada.sessionToken } })
    if (ended.status !== 200) throw new Error(`logout answered ${ended.status}`)
    journal.ended.push(ada.sessionToken)
  }
  const worker = async () => {
    while (!stopped && performance.now() < end) await live().catch((error) => stopped || onFailure(error))
  }
  const before = journal.emails.length
  const workers = Array.from({ length: count }, worker)
  return {
    /** Waits until so many registrations were acknowledged. */
    async acknowledged(wanted: number) {
      const limit = performance.now() + 30_000
      while (journal.emails.length < before + wanted) {
        assert.ok(performance.now() < limit, 'the service answers')
        await sleep(1)
      }
    },
    async stop() {
      stopped = true
      await Promise.all(workers)
    },
  }
}

/** Everything since the last look; the journal goes on from there. */
export async function assertKept(url: string, { open, ended }: Journal): Promise<void> {
  for (const [bearers, status] of [
    [[...open], 200],
    [ended, 401],
  ] as const) {
    const answers = await Promise.all(bearers.map((sessionToken) => validateAt(url, sessionToken)))
    assert.deepEqual(
      answers.filter((answer) => answer.status !== status),
      [],
    )
  }
}

/** In a database that was left by kills at any instant: every change is there as a whole, or not at all. */
export const halfDone = {
  'a user without the mail that came with the registration': `SELECT id FROM users u WHERE user_type = 'customer'
    AND NOT EXISTS (SELECT 1 FROM one_time_secrets s WHERE s.user_id = u.id AND s.purpose = 'verify_email')`,
  'a user without a session and a trace': `SELECT id FROM users u WHERE user_type = 'customer'
    AND (NOT EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = u.id)
      OR NOT EXISTS (SELECT 1 FROM audit_events e WHERE e.target_id = u.id AND e.event = 'register'))`,
  'an ended session without its logout': `SELECT id FROM sessions s WHERE status = 'revoked'
    AND NOT EXISTS (SELECT 1 FROM audit_events e WHERE e.event = 'logout' AND e.details->>'session' = s.id::text)`,
  'a message that is neither waiting nor done': `SELECT id FROM outbox WHERE status NOT IN ('pending', 'queued', 'sent')`,
  'more messages than secrets': `SELECT 1 FROM (SELECT (SELECT count(*) FROM outbox) AS messages,
    (SELECT count(*) FROM one_time_secrets WHERE purpose = 'verify_email') AS secrets) AS counts WHERE messages <> secrets`,
}
