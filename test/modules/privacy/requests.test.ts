import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day, hour } from '../../../src/lib/time.ts'
import { mailsWith } from '../../email-addresses/change-support.ts'
import { textOf } from '../../screens/all-pages.ts'
import { staffOf } from '../../screens/console/support.ts'
import { registered, signedInAs, withSession } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { askForDeletion, cancelDeletion, deletionOf, downloadPath } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['privacy'], env: { RATE_LIMIT_ADMIN: '100000/1h' } })
})
after(() => app.stop())

const list = '/admin/privacy'
const words = (html: string) => textOf(html).replaceAll(/\s+/g, ' ')

test('open requests are listed by their deadlines, and cancelled ones separately', async () => {
  const admin = withSession((await signedInAs(app, 'admin')).sessionToken)
  const read = async (query: Record<string, string> = {}) =>
    (await app.get('/auth/admin/privacy/requests', { ...admin, query })).json
  const [first, third] = [await registered(app), await registered(app)]
  await askForDeletion(app, first, { reason: 'no longer needed' })
  app.clock.advance(hour)
  const second = await registered(app)
  await askForDeletion(app, second)
  await app.post(`/auth/admin/users/${third.id}/privacy/export`, {}, admin)
  await cancelDeletion(app, second)

  const open = await read()
  assert.equal(open.data.pagination.total, 2)
  const [copy, deletion] = open.data.requests
  assert.deepEqual([copy.kind, copy.user_id], ['export', third.id])
  assert.deepEqual(
    [deletion.kind, deletion.status, deletion.email, deletion.reason, deletion.cancelled_at],
    ['deletion', 'pending', first.email, 'no longer needed', null],
  )
  assert.equal(Date.parse(deletion.due_at) - Date.parse(deletion.requested_at), 14 * day)
  const closed = await read({ state: 'closed' })
  assert.deepEqual(
    closed.data.requests.map(({ user_id, status }: { user_id: string; status: string }) => [user_id, status]),
    [[second.id, 'cancelled']],
  )
  assert.equal((await read({ limit: '1', page: '2' })).data.requests[0].user_id, first.id)
  assert.equal((await read({ state: 'other' })).code, 'VALIDATION_ERROR')
})

test('the page that schedules a deletion states the deadline, and the page of the person shows it', async () => {
  const [ada, admin] = [await registered(app, 'ada', { name: 'Ada' }), await staffOf(app, 'admin')]
  const path = `/admin/people/${ada.id}`
  const asked = words((await admin.open(`${path}/schedule-deletion`)).text)
  assert.match(asked, /works normally until .+ \(14 days from now\) and is then deleted/)
  assert.doesNotMatch((await admin.open(path)).text, /will be deleted/)
  await admin.open(`${path}/schedule-deletion`)
  const done = await admin.send(`${path}/schedule-deletion`, {})
  assert.equal(done.headers.location, `${path}?done=schedule-deletion`)
  const page = words((await admin.open(path)).text)
  assert.match(page, /This account will be deleted on .+\. The deletion was scheduled on .+\./)
  assert.match(page, new RegExp(`${admin.email} scheduled the deletion of Ada`))
  assert.match(page, /Consent \(GDPR\) Not given/)
  await cancelDeletion(app, ada)
  assert.doesNotMatch((await admin.open(path)).text, /will be deleted/)
})

test('an administrator sees the deadline, cancels a deletion and sends a copy, without a script', async () => {
  const ada = await registered(app, 'ada')
  const admin = await staffOf(app, 'admin')
  await askForDeletion(app, ada, { reason: '<b>moving</b>' })
  const page = await admin.open(list)
  assert.equal(page.status, 200)
  assert.match(
    words(page.text),
    new RegExp(`${ada.email} Deletion Waiting The account will be deleted on .*, in 14 days\\.`),
  )
  assert.doesNotMatch(page.text, /<b>moving/)
  const cancelled = await admin.send(`${list}/cancel`, { user_id: ada.id })
  assert.equal(cancelled.headers.location, `${list}?done=cancelled`)
  assert.equal((await deletionOf(app, ada)).status, 'cancelled')
  assert.match(words((await admin.open(`${list}?done=cancelled`)).text), /The deletion was cancelled/)
  assert.match(words((await admin.open(`${list}?state=closed`)).text), new RegExp(`${ada.email} Deletion Cancelled`))

  await admin.open(list)
  assert.equal((await admin.send(`${list}/cancel`, { user_id: ada.id, form_token: 'forged' })).status, 400)
  const sentBefore = (await mailsWith(app, ada.email, downloadPath)).length
  await app.post(`/auth/admin/users/${ada.id}/privacy/export`, {}, withSession(admin.sessionToken))
  await admin.open(list)
  assert.equal((await admin.send(`${list}/export`, { user_id: ada.id })).headers.location, `${list}?done=sent`)
  assert.equal(sentBefore, 0)
})

test('the page of a user offers the actions that apply, and each can be undone', async () => {
  const ada = await registered(app, 'ada')
  const admin = await staffOf(app, 'admin')
  const person = `/admin/people/${ada.id}`
  assert.match((await admin.open(person)).text, new RegExp(`href="${person}/schedule-deletion"`))
  await admin.open(`${person}/schedule-deletion`)
  const asked = await admin.send(`${person}/schedule-deletion`, { reason: 'a letter' })
  assert.equal(asked.headers.location, `${person}?done=schedule-deletion`)
  assert.equal((await deletionOf(app, ada)).status, 'pending')
  const after = await admin.open(`${person}?done=schedule-deletion`)
  assert.match(after.text, new RegExp(`href="${person}/cancel-deletion"`))
  assert.doesNotMatch(after.text, new RegExp(`href="${person}/schedule-deletion"`))
  await admin.open(`${person}/cancel-deletion`)
  assert.equal((await admin.send(`${person}/cancel-deletion`)).status, 303)
  assert.equal((await deletionOf(app, ada)).status, 'cancelled')
  await admin.open(`${person}/send-data`)
  assert.equal((await admin.send(`${person}/send-data`)).headers.location, `${person}?done=send-data`)
})

test('support agents do not see privacy requests', async () => {
  const support = await staffOf(app, 'support')
  assert.equal((await support.open(list)).status, 403)
  assert.doesNotMatch((await support.open('/admin')).text, /href="\/admin\/privacy"/)
})
