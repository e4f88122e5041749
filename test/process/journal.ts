import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, loginAt, registerAt, validateAt } from '../nodes/nodes.ts'

/** How many times a process is killed. KILL_ROUNDS=25 is more thorough, but takes too long for normal runs. */
export const killRounds = Number(process.env.KILL_ROUNDS ?? 2)

/**
 * The registrations, sign-ins and logouts that a service has acknowledged, as recorded by its clients. The service must
 * not lose any of them.
 */
export interface Journal {
  emails: string[]
  /** The tokens of active sessions. */
  open: Set<string>
  /** The tokens of sessions that a logout ended. */
  ended: string[]
}

export const newJournal = (): Journal => ({ emails: [], open: new Set(), ended: [] })

interface Options {
  workers?: number
  /** Milliseconds between the users of a worker, for a load that leaves the cores to others. */
  pause?: number
  /** Called when a request fails before the load is stopped. */
  onFailure?: (error: unknown) => void
}

/** Until stopped, registers users, signs them in and out, and records what is acknowledged. */
export function keepBusy(url: string, journal: Journal, options: Options = {}) {
  const { workers: count = 4, pause = 0, onFailure = () => {} } = options
  let stopped = false
  // The load also ends if a test fails before stopping it.
  const end = performance.now() + 60_000
  const live = async () => {
    const ada = await registerAt(url)
    journal.emails.push(ada.email)
    journal.open.add(ada.sessionToken)
    const { status, json } = await loginAt(url, ada)
    if (status !== 200) throw new Error(`sign-in answered ${status}`)
    journal.open.add(json.sessionId)
    // Until the logout response arrives, it is unknown whether the session is active.
    journal.open.delete(ada.sessionToken)
    const ended = await call(`${url}/auth/logout`, { method: 'POST', headers: { 'x-session-id': ada.sessionToken } })
    if (ended.status !== 200) throw new Error(`logout answered ${ended.status}`)
    journal.ended.push(ada.sessionToken)
  }
  const worker = async () => {
    while (!stopped && performance.now() < end) {
      await live().catch((error) => stopped || onFailure(error))
      if (pause > 0) await sleep(pause)
    }
  }
  const before = journal.emails.length
  const workers = Array.from({ length: count }, worker)
  return {
    /** Waits until this many registrations have been acknowledged. */
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

/** Checks all entries since the last check, and empties the journal. */
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

/** Finds incomplete changes after kills at random times. Each change must be either complete or absent. */
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
