import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '../../src/db/transact.ts'
import { AppError } from '../../src/lib/errors.ts'
import { signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

test('a rejection stays a rejection if it cannot be recorded, and the log tells of it', async () => {
  const superadmin = await signedInAs(app, 'superadmin', 'ada')
  const admin = await signedInAs(app, 'admin', 'grace')
  const { db } = app.ctx
  await sql`ALTER TABLE audit_events ADD CONSTRAINT full_disk CHECK (event <> 'authz_denied') NOT VALID`.execute(db)
  const block = { reason: 'No' }
  const reply = await app.post(`/auth/admin/users/${superadmin.id}/block`, block, withSession(admin.sessionToken))
  assert.equal(reply.status, 403)
  assert.match(app.logged(), /could not record a rejection/)
})

test('a request without recent authentication stays refused if that cannot be recorded', async () => {
  const admin = await signedInAs(app, 'admin', 'grace')
  app.clock.advance(app.ctx.config.REAUTH_WINDOW + 1)
  const body = { action: 'unblock', ids: [admin.id] }
  const { status, json } = await app.post('/auth/admin/users/bulk', body, withSession(admin.sessionToken))
  assert.deepEqual([status, json.code], [403, 'REAUTH_REQUIRED'])
})

test('a failed record of why a transaction was rolled back does not replace the reason', async () => {
  const refused = transact(app.ctx, async (tx) => {
    tx.afterRollback(() => Promise.reject(new Error('the disk is full')))
    throw new AppError('ACCOUNT_BLOCKED')
  })
  await assert.rejects(refused, { code: 'ACCOUNT_BLOCKED' })
  assert.match(app.logged(), /could not record why a transaction was rolled back/)
})
