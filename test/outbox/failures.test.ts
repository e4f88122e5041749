import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { newId } from '../../src/lib/ids.ts'
import { insertMessage } from '../../src/outbox/queries.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { hurry, messageWith, newestMessage, putOff, register } from './support.ts'

let app: TestApp
let sink: SmtpSink
before(async () => {
  sink = await startSmtpSink()
  app = await startTestApp({ env: { SMTP_URL: sink.url } })
})
after(async () => {
  await app?.stop()
  await sink?.stop()
})
afterEach(() => sink.heal())

test('a mail is given up after five more tries, each later than the one before', async () => {
  sink.failAt('from', 451)
  await register(app)
  const minutes: number[] = []
  for (let attempts = 1; attempts <= 5; attempts++) {
    minutes.push(((await putOff(app, attempts)).next_try ?? 0) / 60)
    await hurry(app)
  }
  const failed = await newestMessage(app, ({ status }) => status === 'failed')
  assert.deepEqual(minutes, [1, 5, 15, 60, 240])
  assert.equal(failed.attempts, 6)
  assert.match(failed.payload ?? '', /^1(\.[\w-]+){3}$/, 'sealed, for a day, so that it can be sent again')
})

test('messages that cannot be opened or rendered hold up no others', async () => {
  sink.failAt('from', 451)
  await register(app)
  const { payload } = await putOff(app)
  await sink.heal()
  const row = { channel: 'mail', expires_at: null, created_at: new Date(app.clock.now()) } as const
  const broken = [
    { id: newId(), message: 'verify_email', payload: 'no seal of ours' },
    { id: newId(), message: 'no_such_message', payload: payload! },
  ]
  for (const one of broken) await insertMessage(app.ctx.db, { ...row, ...one })
  assert.ok(await sink.waitFor(await register(app)))
  for (const { id } of broken) {
    const left = await messageWith(app, id, ({ attempts }) => attempts === 1)
    assert.equal(left.status, 'queued')
  }
})

test('a database that fails while a mail is delivered, again and again, does not lose the mail', async () => {
  sink.failAt('from', 451)
  const email = await register(app)
  const { id } = await putOff(app)
  await sink.heal()
  await sql`ALTER TABLE outbox RENAME TO outbox_away`.execute(app.ctx.db)
  while ((await failures(id)) < 3) {
    await hurry(app)
    await sleep(100)
  }
  await sql`ALTER TABLE outbox_away RENAME TO outbox`.execute(app.ctx.db)
  const arrived = sink.waitFor(email)
  // Repeats because an attempt that had already begun postpones the message again.
  do await hurry(app)
  while (!(await Promise.race([arrived, sleep(100)])))
})

/** How many times this message's job has failed. */
async function failures(id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT max(retry_count + (state = 'failed')::int)::int AS count
    FROM jobs.job WHERE data->>'id' = ${id} AND state <> 'completed'`.execute(app.ctx.db)
  return rows[0]?.count ?? 0
}
