import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { acquisition, asPerson } from '../modules/onboarding/support.ts'
import { askForDeletion, cancelDeletion, path } from '../modules/privacy/support.ts'
import { registered, signedInAs, withSession } from '../support/people.ts'
import { eventsDuring, recordedEvents } from '../support/service-events.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { base, fullSession, pending, withTotp } from '../two-factor/support.ts'

describe('events of modules', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp({ modules: ['two-factor', 'privacy', 'onboarding'] })
  })
  after(() => app.stop())

  test('the API description has their schemas', async () => {
    const { webhooks } = (await app.get('/openapi.json')).json
    for (const type of ['factor.added', 'user.onboarded', 'user.privacy_changed'])
      assert.equal(webhooks[type].post.requestBody.content['application/json'].schema.properties.type.const, type)
  })

  test('an installation', async () => {
    const installed = (await recordedEvents(app)).filter(({ type }) => type === 'module.installed')
    assert.deepEqual(
      installed.map(({ data }) => [data.module_id, data.components, data.runtime_scope]),
      ['two-factor', 'privacy', 'onboarding'].map((id) => [id, ['core'], 'service-core']),
    )
  })

  test('a second factor, and a session that needs it exists once it is confirmed', async () => {
    const added = await eventsDuring(app, () => withTotp(app))
    const { user_id } = added[0]!.data
    const factor = added.find(({ type }) => type === 'factor.added')
    assert.deepEqual([factor?.data.user_id, factor?.data.method], [user_id, 'totp'])
    const ada = await withTotp(app)
    const partial = await eventsDuring(app, () => pending(app, ada))
    assert.deepEqual(partial, [])
    const full = await eventsDuring(app, () => fullSession(app, ada))
    assert.deepEqual(
      full.map(({ type, data }) => [type, data.user_id, data.impersonated]),
      [['session.created', ada.id, false]],
    )
    const admin = await signedInAs(app, 'admin')
    const removed = await eventsDuring(app, async () => {
      const reply = await app.call('DELETE', `/auth/admin/users/${ada.id}/two_factor`, withSession(admin.sessionToken))
      assert.equal(reply.status, 200, reply.text)
    })
    assert.deepEqual(
      removed.filter(({ type }) => type !== 'session.ended'),
      [{ type: 'factor.removed', data: { user_id: ada.id, factor_id: ada.methodId, method: 'totp' } }],
    )
  })

  test('a factor that its owner removes', async () => {
    const ada = await withTotp(app)
    const types = await eventsDuring(app, async () => {
      const body = { verification_code: ada.code() }
      const reply = await app.call('DELETE', `${base}/${ada.methodId}`, {
        body,
        ...withSession(ada.sessionToken),
      })
      assert.equal(reply.status, 200, reply.text)
    })
    assert.deepEqual(
      types.map(({ type }) => type),
      ['factor.removed'],
    )
  })

  test('consent, and a deletion that is requested and cancelled', async () => {
    const ada = await registered(app)
    const consent = { gdpr_consent: true, gdpr_consent_version: '7' }
    const [changed] = await eventsDuring(app, () =>
      app.call('PUT', path, { body: consent, ...withSession(ada.sessionToken) }),
    )
    assert.deepEqual([changed?.type, changed?.data.user_id], ['user.privacy_changed', ada.id])
    assert.match(JSON.stringify(changed?.data.changed), /"gdpr_consent"/)
    const events = await eventsDuring(app, async () => {
      await askForDeletion(app, ada, { current_password: ada.password, reason: 'Too many letters' })
      await cancelDeletion(app, ada)
    })
    const { scheduled_for } = events[0]!.data
    assert.ok(Date.parse(String(scheduled_for)) > app.clock.now())
    const data = { user_id: ada.id, scheduled_for }
    assert.deepEqual(events, [
      { type: 'user.deletion_requested', data },
      { type: 'user.deletion_cancelled', data },
    ])
  })

  test('an export', async () => {
    const ada = await registered(app)
    const events = await eventsDuring(app, () =>
      app.post(`${path}/exports`, { current_password: ada.password }, withSession(ada.sessionToken)),
    )
    assert.deepEqual(events, [{ type: 'user.export_requested', data: { user_id: ada.id } }])
  })

  test('onboarding names no write-only member', async () => {
    const ada = await registered(app)
    const body = { name: 'Ada', team_size_range: 'canary range 2-10', ...acquisition('canary of an event') }
    const events = await eventsDuring(app, () => asPerson(app, ada).complete(body))
    assert.deepEqual(
      events.map(({ type }) => type),
      ['user.onboarded', 'user.updated'],
    )
    assert.doesNotMatch(JSON.stringify(events), /canary|acquisition|team_size/)
  })
})
