import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { apiDocument } from '../support/api-document.ts'
import { install } from '../support/modules.ts'
import { registered, withSession } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

/** The user members and the search filters in the API description of the administrator routes. */
async function described() {
  const { paths } = await apiDocument(app)
  const { properties } =
    paths['/auth/users/{user_id}'].get.responses[200].content['application/json'].schema.properties.data.properties.user
  const search = paths['/auth/users'].get.parameters as { name: string; schema: object }[]
  return { members: Object.keys(properties), filters: search.map(({ name }) => name) }
}

test('members of a module appear as soon as its columns exist, at the routes that show them, and nowhere else', async () => {
  const ada = await registered(app)
  const session = withSession(ada.sessionToken)
  const bridge = { headers: { ...session.headers, 'x-bridge-secret': bridgeSecret } }
  assert.equal('gdpr_consent' in (await app.get('/auth/me', session)).json.user, false)

  const { members, filters } = await described()
  assert.equal(members.includes('gdpr_consent') || filters.includes('privacy_region'), false)

  await install(app, 'privacy')
  await sql`ALTER TABLE users ADD COLUMN acquisition_source text`.execute(app.ctx.db)
  await sql`UPDATE users SET gdpr_consent = true, acquisition_source = 'a secret of marketing' WHERE id = ${ada.id}`.execute(
    app.ctx.db,
  )
  app.clock.advance(6_000)

  const now = await described()
  assert.ok(now.members.includes('gdpr_consent') && !now.members.includes('acquisition_source'))
  assert.deepEqual(now.filters.toSorted(), [...filters, 'privacy_region'].toSorted())
  for (const user of [
    (await app.get('/auth/me', session)).json.user,
    (await app.get('/auth/user/me', bridge)).json.user,
  ]) {
    assert.equal(user.gdpr_consent, true)
    assert.equal(user.privacy_region, 'global')
    assert.equal('acquisition_source' in user, false)
  }
  const { json } = await app.post('/auth/bridge/validate', {}, bridge)
  assert.equal('gdpr_consent' in json.user, false)
  assert.equal('gdpr_consent' in (await app.get('/auth/validation', session)).json.user, false)

  // If one of a module's columns is missing, none of its columns are shown.
  await sql`ALTER TABLE users DROP COLUMN ccpa_applies`.execute(app.ctx.db)
  await app.hub.installed.refresh()
  app.clock.advance(6_000)
  assert.equal('gdpr_consent' in (await app.get('/auth/me', session)).json.user, false)
  assert.deepEqual(await described(), { members, filters })
})
