import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { person } from '../support/people.ts'
import type { TestApp } from '../support/test-app.ts'

export interface Message {
  id: string
  channel: string
  message: string
  payload: string | null
  status: string
  attempts: number
  last_error: string | null
  done_at: Date | null
  /** Seconds between the last attempt and the next. Null if no attempt is planned. */
  next_try: number | null
}

/** Every message, oldest first. */
export async function messages(app: TestApp): Promise<Message[]> {
  const { rows } = await sql<Message>`
    SELECT o.*, extract(epoch FROM j.start_after - j.created_on)::int AS next_try
    FROM outbox o LEFT JOIN jobs.job j ON j.data->>'id' = o.id::text AND j.state = 'created' AND j.start_after > j.created_on
    ORDER BY o.created_at, o.id`.execute(app.ctx.db)
  return rows
}

type Test = (message: Message) => boolean

/** Waits until the newest message meets the condition. */
export const newestMessage = (app: TestApp, isAwaited: Test) => waitFor(app, (all) => all.at(-1), isAwaited)

export const messageWith = (app: TestApp, id: string, isAwaited: Test) =>
  waitFor(app, (all) => all.find((message) => message.id === id), isAwaited)

/** Waits until this many attempts at the newest message have failed and the next attempt is planned. */
export const putOff = (app: TestApp, attempts = 1) =>
  newestMessage(app, (message) => message.attempts === attempts && message.next_try !== null)

async function waitFor(app: TestApp, pick: (all: Message[]) => Message | undefined, isAwaited: Test): Promise<Message> {
  for (const end = performance.now() + 30_000; ; await sleep(20)) {
    const message = pick(await messages(app))
    if (message && isAwaited(message)) return message
    if (performance.now() > end) throw new Error(`the message stays ${JSON.stringify(message)}`)
  }
}

/** Makes postponed messages due immediately. */
export async function hurry(app: TestApp): Promise<void> {
  await sql`UPDATE jobs.job SET start_after = created_on WHERE name = 'deliver' AND state < 'active'`.execute(
    app.ctx.db,
  )
}

/** Registers a user. The verification email is enqueued in the same transaction. */
export async function register(app: TestApp): Promise<string> {
  const { email, password } = person()
  assert.equal((await app.post('/auth/register/public', { email, password })).status, 200)
  return email
}

export const tokenIn = (text: string): string => /token=([\w-]{43})/.exec(text)?.[1] ?? ''
