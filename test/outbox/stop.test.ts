import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { fixedWait } from '../support/fixed-wait.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { register } from './support.ts'

test('a delivery that is under way when the service stops comes to its end, and what became of it is kept', async (t) => {
  const sink = await startSmtpSink()
  t.after(() => sink.stop())
  sink.failAt('data', 'hang')
  const app = await startTestApp({ env: { SMTP_URL: sink.url, MAIL_FROM: 'Example <no-reply@example.com>' } })
  await register(app)
  while (!(await isDelivering(app))) await sleep(10)
  const stopped = app.stop()
  assert.equal(await Promise.race([stopped, fixedWait(700, 'the stop must not finish').then(() => 'waits')]), 'waits')
  await sink.refuse()
  await stopped
  assert.match(app.logged(), /"retry_in_s":60,"msg":"could not deliver a message yet"/)
  assert.doesNotMatch(app.logged(), /error of the job queue/)
})

async function isDelivering(app: TestApp): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM jobs.job WHERE name = 'deliver' AND state = 'active'`.execute(app.ctx.db)
  return rows.length > 0
}
