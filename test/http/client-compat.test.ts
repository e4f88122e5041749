import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const provider = {
  OIDC_ISSUER: 'https://login.example.com',
  OIDC_CLIENT_ID: 'wardenry',
  OIDC_CLIENT_SECRET: 's'.repeat(20),
}

let app: TestApp
before(async () => {
  app = await startTestApp({
    modules: ['blog'],
    env: { BLOG_ENABLED: 'true', CLIENT_COMPAT: 'true', ...provider },
  })
})
after(() => app.stop())

test('with CLIENT_COMPAT, a post body that is an object is JSON unless the request names another format', async () => {
  const { sessionToken } = await signedInAs(app, 'writer')
  const send = (method: string, path: string, body: object) =>
    app.call(method, `/api/v1/posts${path}`, { body, ...withSession(sessionToken) })
  const body = { blocks: [{ text: 'Words.' }] }
  const { data } = (await send('POST', '', { title: 'Notes', body })).json
  assert.deepEqual([data.body_format, data.body], ['json', JSON.stringify(body)])
  const plain = (await send('POST', '', { title: 'Notes', body: 'Words.' })).json.data
  assert.equal(plain.body_format, 'markdown')
  assert.equal((await send('PUT', `/id/${plain.id}`, { body })).json.data.body_format, 'json')
  assert.equal((await send('POST', '/preview', { body })).status, 200)
  const refused = await send('POST', '', { title: 'Notes', body, body_format: 'html' })
  assert.equal(refused.json.details[0].field, 'body')
})

test('with CLIENT_COMPAT, the list of providers contains only names that older clients know', async () => {
  assert.deepEqual((await app.get('/auth/social/providers')).json.providers, [])
  assert.equal((await app.get('/auth/social/oidc/login')).status === 404, false)
})
