import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsDuring } from '../support/service-events.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { superadminOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

test('every change of an application is an event', async () => {
  const superadmin = await superadminOf(app)
  let id = ''
  const events = await eventsDuring(app, async () => {
    ;({ id } = await superadmin.create('shop', { return_addresses: ['https://shop.test'] }))
    await superadmin.call('PUT', `/${id}`, { name: 'Store' })
    for (const action of ['disable', 'disable', 'enable']) await superadmin.call('POST', `/${id}/${action}`)
    await superadmin.call('DELETE', `/${id}`)
    await superadmin.call('POST', `/${id}/restore`)
  })
  const about = { application_id: id, key: 'shop' }
  assert.deepEqual(events, [
    { type: 'application.created', data: about },
    { type: 'application.updated', data: { ...about, changed: ['name'] } },
    { type: 'application.disabled', data: about },
    { type: 'application.enabled', data: about },
    { type: 'application.deleted', data: about },
    { type: 'application.restored', data: about },
  ])
})
