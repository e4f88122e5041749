import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour } from '../../../src/lib/time.ts'
import { eventually } from '../../support/eventually.ts'
import { registered } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { type Receiver, respond, startReceiver } from '../../webhooks/receiver.ts'
import { textOf } from '../all-pages.ts'
import { staffOf } from './support.ts'

const list = '/admin/webhooks'

let app: TestApp
let back: Receiver
before(async () => {
  app = await startTestApp({ env: { EVENT_ALLOW_PRIVATE_HOSTS: 'true', RATE_LIMIT_ADMIN: '100000/1h' } })
  back = await startReceiver()
})
after(async () => {
  await app?.stop()
  await back?.close()
})

const words = (html: string) => textOf(html).replaceAll(/\s+/g, ' ')

test('a superadmin creates a webhook, sees its secret once, tests it and reads the delivery', async () => {
  const root = await staffOf(app, 'superadmin')
  assert.match(words((await root.open(list)).text), /No webhooks yet .* Create a webhook/)
  const typed = { url: back.url, events: 'user.created, webhook.test', description: 'CRM' }
  const created = await root.send(list, typed)
  assert.equal(created.status, 200)
  const [secret = ''] = /whsec_[A-Za-z0-9+/=]+/.exec(textOf(created.text)) ?? []
  assert.equal(secret.length, 50)
  assert.match(created.text, /data-copy="secret"/)
  assert.match(words(created.text), /The webhook was created\. .* It can’t be shown again\./)
  const [path = ''] = /\/admin\/webhooks\/[0-9a-f-]{36}/.exec(created.text) ?? []
  const shown = await root.open(path)
  assert.ok(!shown.text.includes(secret))
  assert.match(words(shown.text), /CRM Enabled .* user\.created, webhook\.test/)

  assert.equal((await root.send(`${path}/act`, { action: 'test' })).headers.location, `${path}?done=tested`)
  await eventually(() => back.received.some(({ event }) => event.type === 'webhook.test'))
  await eventually(async () => /webhook\.test Delivered/.test(words((await root.open(path)).text)))
  const [delivery = ''] = new RegExp(`${path}/deliveries/[0-9a-f-]{36}`).exec((await root.open(path)).text) ?? []
  assert.match(words((await root.open(delivery)).text), /Delivered .* "type": "webhook\.test",.* Response 204/)
  await root.open(delivery)
  const again = await root.send(`${path}/act`, { action: 'replay' })
  assert.equal(again.headers.location, `${path}?done=replayed&count=1`)
  await eventually(() => back.received.filter(({ event }) => event.type === 'webhook.test').length === 2)
})

test('a failing receiver is visible, and failed input marks its field and keeps what was typed', async () => {
  const root = await staffOf(app, 'superadmin')
  back.behave(respond(500, '<b>broken</b>'))
  await registered(app)
  await eventually(async () =>
    /CRM Failing .*The receiver has accepted no event since/.test(words((await root.open(list)).text)),
  )
  const refused = await root.send(list, { url: 'ftp://x', events: 'user.* nothing', description: 'Typed <here>' })
  assert.equal(refused.status, 400)
  assert.match(words(refused.text), /“nothing” isn’t an event\./)
  assert.match(words(refused.text), /All event types .*user\.created/)
  assert.match(refused.text, /id="url-problem"/)
  assert.match(refused.text, /id="events-problem"/)
  assert.match(refused.text, /value="Typed &lt;here&gt;"/)
})

test('custom headers are added, kept without being shown, and removed', async () => {
  const root = await staffOf(app, 'superadmin')
  await root.open(list)
  const wanted = { url: back.url, events: 'webhook.test', description: 'Headers' }
  const created = await root.send(list, { ...wanted, headers: 'Authorization: Bearer c0ffee42\r\nX-Tenant: 7\r\n' })
  assert.equal(created.status, 200, textOf(created.text))
  const [path = ''] = /\/admin\/webhooks\/[0-9a-f-]{36}/.exec(created.text) ?? []
  const headersOf = async (): Promise<string> => {
    const shown = await root.open(path)
    assert.ok(!shown.text.includes('c0ffee42'))
    return /Custom headers ([\w, -]+?) Signing secret/.exec(words(shown.text))?.[1] ?? ''
  }
  assert.equal(await headersOf(), 'authorization, x-tenant')
  back.behave(respond(204))
  await root.send(`${path}/act`, { action: 'test' })
  await eventually(() => back.received.some(({ headers }) => headers.authorization === 'Bearer c0ffee42'))
  await root.open(path)
  await root.send(`${path}/edit`, { ...wanted, headers: '' })
  assert.equal(await headersOf(), 'authorization, x-tenant')
  for (const headers of [
    'Host: elsewhere',
    'no colon',
    'X-Empty:',
    `X-Long: ${'x'.repeat(1001)}`,
    `${'x'.repeat(65)}: 1`,
  ]) {
    const refused = await root.send(`${path}/edit`, { ...wanted, headers })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /id="headers-problem"/, headers)
  }
  await root.send(`${path}/edit`, { ...wanted, headers: '', remove_headers: '1' })
  assert.equal(await headersOf(), 'None')
  await root.open(`${path}/delete`)
  await root.send(`${path}/delete`)
})

test('it is changed, its secret is replaced, and it is disabled, enabled and deleted after a confirmation', async () => {
  const root = await staffOf(app, 'superadmin')
  const [path = ''] = /\/admin\/webhooks\/[0-9a-f-]{36}/.exec((await root.open(list)).text) ?? []
  await root.open(path)
  const edited = await root.send(`${path}/edit`, { url: back.url, events: '*', description: 'All events' })
  assert.equal(edited.headers.location, `${path}?done=changed`)
  assert.match(words((await root.open(`${path}?done=changed`)).text), /The webhook was changed\./)
  assert.match(words((await root.send(`${path}/act`, { action: 'rotate' })).text), /former secret sign .*|whsec_/)
  for (const [action, done] of [
    ['disable', 'disabled'],
    ['enable', 'enabled'],
  ] as const) {
    await root.open(path)
    assert.equal((await root.send(`${path}/act`, { action })).headers.location, `${path}?done=${done}`)
  }
  await root.open(path)
  assert.equal((await root.send(`${path}/act`, { action: 'toString' })).headers.location, path)
  assert.equal((await root.send(`${path}/act`, { action: 'disable', form_token: 'forged' })).status, 400)
  const deleted = (await auditOf(app, 'webhook_deleted')).length
  assert.match(words((await root.open(`${path}/delete`)).text), /The webhook, its log and \d+ waiting deliver/)
  assert.equal((await root.send(`${path}/delete`)).headers.location, `${list}?done=deleted`)
  assert.equal((await root.open(path)).status, 404)
  assert.equal((await auditOf(app, 'webhook_deleted')).length, deleted + 1)
})

test('only superadmins with recent authentication', async () => {
  const admin = await staffOf(app, 'admin')
  assert.equal((await admin.open(list)).status, 403)
  assert.doesNotMatch((await admin.open('/admin')).text, /href="\/admin\/webhooks"/)
  const root = await staffOf(app, 'superadmin')
  app.clock.advance(2 * hour)
  await root.open(list)
  const stale = await root.send(list, { url: back.url, events: '*' })
  assert.equal(stale.status, 403)
  assert.match(stale.text, /href="\/account\/confirm\?next=%2Faccount%2Fconfirm%3Foutcome%3Dconfirmed" target="_blank"/)
})
