import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import {
  authorizeAddress,
  follow,
  refreshWith,
  signedInVisitor,
  tokensOf,
  userInfo,
  webClient,
} from './sign-in-support.ts'
import { type MadeClient, type OAuthAdmin, oauthAdmin, oauthEnv, oauthModules } from './support.ts'

let app: TestApp
let admin: OAuthAdmin
let client: MadeClient
before(async () => {
  app = await startTestApp({ modules: oauthModules, env: oauthEnv })
  admin = await oauthAdmin(app)
  client = await webClient(admin)
})
after(() => app.stop())

test('users see the applications that can use their account, and remove their access', async () => {
  const { browser, user } = await signedInVisitor(app)
  const tokens = await tokensOf(app, browser, client)
  const page = await browser.open('/account/applications')
  assert.match(page.text, /Notes/)
  assert.match(page.text, /at app\.example/)
  assert.match(page.text, /See your email address/)
  const listed = (await app.get('/auth/grants', withSession(user.sessionToken))).json.data.applications
  assert.equal(listed.length, 1)
  assert.deepEqual(listed[0].scopes, ['email', 'openid', 'profile'])
  assert.equal(listed[0].grants.length, 1)
  assert.equal(
    (await browser.send('/account/applications/remove')).headers.location,
    '/account/applications?done=removed',
  )
  assert.match((await browser.open('/account/applications')).text, /No application uses your account/)
  assert.equal((await userInfo(app, tokens.access_token)).status, 401)
  assert.equal((await refreshWith(app, client, tokens.refresh_token)).json.error, 'invalid_grant')
  const { reply } = await follow(browser, await browser.open(authorizeAddress(client)))
  assert.match(reply.text, /wants to sign you in/, 'the consent is asked for again')
  assert.equal((await auditOf(app, 'oauth_consent_withdrawn')).length, 1)
})

test('one access can be ended, and those of others cannot', async () => {
  const { browser, user } = await signedInVisitor(app)
  const [one, another] = [await tokensOf(app, browser, client), await tokensOf(app, browser, client)]
  const { user: stranger } = await signedInVisitor(app)
  const list = async () =>
    (await app.get('/auth/grants', withSession(user.sessionToken))).json.data.applications[0].grants
  const [latest, first] = await list()
  const end = (id: string, sessionToken: string) => app.call('DELETE', `/auth/grants/${id}`, withSession(sessionToken))
  assert.equal((await end(latest.id, stranger.sessionToken)).json.code, 'GRANT_NOT_FOUND')
  assert.equal((await end('nothing', user.sessionToken)).json.code, 'GRANT_NOT_FOUND')
  assert.equal((await end(latest.id, user.sessionToken)).status, 200)
  assert.equal((await end(latest.id, user.sessionToken)).json.code, 'GRANT_NOT_FOUND')
  assert.deepEqual(
    (await list()).map(({ id }: { id: string }) => id),
    [first.id],
  )
  const states = [(await userInfo(app, one.access_token)).status, (await userInfo(app, another.access_token)).status]
  assert.deepEqual(states.toSorted(), [200, 401])
  const remove = (id: string) => app.call('DELETE', `/auth/applications/${id}`, withSession(stranger.sessionToken))
  assert.equal((await remove(client.clientId)).json.code, 'GRANT_NOT_FOUND')
  assert.equal((await remove('nothing')).json.code, 'GRANT_NOT_FOUND')
})
