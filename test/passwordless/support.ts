import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { InboxMessage } from '../../src/adapters/inbox/inbox.ts'
import { countWaiting } from '../../src/outbox/queries.ts'
import { bridgeSecret, type TestApp } from '../support/test-app.ts'

export const withSecret = { headers: { 'x-bridge-secret': bridgeSecret } }

/** The link and the code sent for a sign-in request. */
export interface Sent {
  id: string
  token: string
  code: string
  message: InboxMessage
}

/** Requests a sign-in and reads the link and code that were sent. */
export async function asked(app: TestApp, contact: string, more: Record<string, unknown> = {}): Promise<Sent> {
  const before = loginMessages(app, contact).length
  const reply = await app.post('/auth/token/login', { identifier: contact, ...more })
  assert.equal(reply.status, 200, reply.text)
  const message = await nextMessage(app, contact, before)
  return { id: reply.json.token_id, ...secretsIn(message), message }
}

const loginMessages = (app: TestApp, contact: string): InboxMessage[] =>
  (app.inbox?.list({ to: contact }) ?? []).filter(
    ({ text }) => /login\?|\/\?token=|#\d{6}$|^\d{6}$/m.test(text) && !/\/token\/verify\?|reset-password\?/.test(text),
  )

async function nextMessage(app: TestApp, contact: string, before: number): Promise<InboxMessage> {
  for (const end = performance.now() + 10_000; performance.now() < end; ) {
    const message = loginMessages(app, contact)[before]
    if (message) return message
    await sleep(20)
  }
  throw new Error(`nothing was sent to ${contact}`)
}

export const secretsIn = ({ text }: InboxMessage) => ({
  token: /token=([\w-]{43})/.exec(text)?.[1] ?? '',
  code: /^(\d{6})\b/m.exec(text)?.[1] ?? '',
})

/** A wrong six-digit code. */
export const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

export const redeem = (app: TestApp, body: Record<string, unknown>) => app.post('/auth/token/login', body)

/** Waits until all jobs that requests have enqueued are finished. */
export async function settled(app: TestApp): Promise<void> {
  for (const end = performance.now() + 10_000; performance.now() < end; await sleep(5))
    if ((await countWaiting(app.ctx.db)) === 0) return
  throw new Error('messages are still waiting')
}

export const verify = (app: TestApp, id: string) =>
  sql`UPDATE users SET is_verified = true WHERE id = ${id}`.execute(app.ctx.db)
export const setPhone = (app: TestApp, id: string, phone: string) =>
  sql`UPDATE users SET phone = ${phone} WHERE id = ${id}`.execute(app.ctx.db)

let numbers = 0
export const newNumber = (): string => `+49151${String(10_000_000 + 7_919 * ++numbers)}`
