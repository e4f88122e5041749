import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { day } from '../../../src/lib/time.ts'
import { mailsWith, mailWith, tokenAfter } from '../../email-addresses/change-support.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { apart, cancelDeletion, cleanUpAll, deletionOf, downloadPath, historyOf } from './support.ts'

let app: TestApp
let admin: SignedIn
let root: SignedIn
before(async () => {
  app = await startTestApp({
    modules: ['privacy'],
    env: { RATE_LIMIT_ADMIN: '1000/1h', SESSION_IDLE_TTL: '90d', SESSION_ABSOLUTE_TTL: '365d' },
  })
  ;[admin, root] = [await signedInAs(app, 'admin'), await signedInAs(app, 'superadmin')]
})
after(() => app.stop())

const on = (user: { id: string }, what: string) => `/auth/admin/users/${user.id}/privacy/${what}`
const remove = (user: { id: string }, by = admin) =>
  app.post(on(user, 'delete-request'), { reason: 'asked for it by letter' }, withSession(by.sessionToken))
const keep = (user: { id: string }, by = admin) =>
  apart(app, () => app.call('DELETE', on(user, 'delete-request'), withSession(by.sessionToken)))
const send = (user: { id: string }, by = admin) => app.post(on(user, 'export'), {}, withSession(by.sessionToken))

test('an administrator asks for a deletion, which the person hears of and can cancel', async () => {
  const ada = await registered(app)
  const asked = (await remove(ada)).json.data
  assert.deepEqual([asked.status, await deletionOf(app, ada)], ['pending', asked])
  await mailWith(app, ada.email, 'will be deleted on')
  assert.equal((await auditOf(app, 'deletion_requested')).at(-1)?.target_id, ada.id)
  assert.equal((await cancelDeletion(app, ada)).json.data.status, 'cancelled')

  await remove(ada)
  assert.equal((await keep(ada)).json.data.status, 'cancelled')
  assert.equal((await keep(ada)).status, 404)
  await remove(ada)
  app.clock.advance(14 * day)
  await cleanUpAll(app)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 401)
  assert.deepEqual(await historyOf(app, ada.id), [
    'deletion_requested admin',
    'deletion_cancelled self',
    'deletion_requested admin',
    'deletion_cancelled admin',
    'deletion_requested admin',
  ])
  const { rows } = await sql<{ ip_address: string | null }>`SELECT ip_address FROM user_privacy_events
    WHERE user_id = ${ada.id} AND source = 'admin'`.execute(app.ctx.db)
  assert.ok(
    rows.every(({ ip_address }) => ip_address === null),
    'where administrators work is no proof about the person',
  )
  assert.equal((await remove(ada)).status, 404)
})

test('the data of a person go to their own address, and no part of them to the administrator', async () => {
  const ada = await registered(app)
  const reply = await send(ada)
  assert.deepEqual(Object.keys(reply.json.data), ['status', 'requested_at'])
  const token = tokenAfter(await mailWith(app, ada.email, downloadPath), downloadPath)
  assert.equal(mailsWith(app, admin.email, downloadPath).length, 0)
  const file = await app.post(downloadPath, { token })
  assert.equal(file.json.user.email, ada.email)
  const asked = file.json.audit.find(({ event }: { event: string }) => event === 'export_requested')
  assert.deepEqual([asked.by, asked.ip], ['administrator', null])
  assert.ok(!file.text.includes(admin.id))
  assert.deepEqual(await historyOf(app, ada.id), ['export_made admin'])
})

test('the rules of roles hold: superadmins by superadmins only, and nobody for themselves', async () => {
  const other = await signedInAs(app, 'superadmin')
  for (const act of [remove, keep, send]) {
    for (const [target, by] of [
      [other, admin],
      [admin, admin],
      [root, root],
    ] as const) {
      const { status, json } = await act(target, by)
      assert.deepEqual([status, json.code], [403, 'FORBIDDEN'], act.name)
    }
    assert.equal((await act({ id: 'x' })).status, 404)
  }
  assert.deepEqual([await historyOf(app, other.id), await historyOf(app, admin.id)], [[], []])
  assert.equal((await send(other, root)).status, 200)
  assert.equal((await remove(other, root)).status, 200)
  assert.equal((await keep(other, root)).status, 200)
})
