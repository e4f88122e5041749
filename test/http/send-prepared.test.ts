import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { toAscii } from '../../src/http/responses/send-prepared.ts'
import { registered } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    env: { BRIDGE_ALLOWED_ORIGINS: 'https://app.example', CORS_ORIGINS: 'https://app.example' },
  })
})
after(() => app.stop())

const validate = (sessionToken: string, headers: Record<string, string> = {}) =>
  app.post(
    '/auth/bridge/validate',
    { session_id: sessionToken },
    { headers: { 'x-bridge-secret': bridgeSecret, ...headers } },
  )

/** The headers, without the values that differ between responses. */
function commonHeaders(headers: Record<string, unknown>) {
  const { date: _date, 'content-length': _length, 'x-request-id': _id, ...common } = headers
  return Object.fromEntries(
    Object.entries(common).map(([name, value]) => [name, name.startsWith('x-r') ? '' : `${value}`]),
  )
}

test('a reply that was made beforehand has the headers of any other', async () => {
  const ada = await registered(app)
  await validate(ada.sessionToken)
  const prepared = await validate(ada.sessionToken)
  assert.equal(prepared.json.cacheSource, 'memory')
  const refused = await validate(`ses_${'A'.repeat(43)}`)
  assert.equal(refused.status, 401)
  assert.deepEqual(commonHeaders(prepared.headers), commonHeaders(refused.headers))
  assert.notEqual(prepared.headers['x-request-id'], refused.headers['x-request-id'])
})

test('each request is counted once, whether it is answered or refused', async () => {
  const ada = await registered(app)
  const left = async (sessionToken: string) => Number((await validate(sessionToken)).headers['x-ratelimit-remaining'])
  const before = await left(ada.sessionToken)
  assert.deepEqual(
    [await left(ada.sessionToken), await left('none'), await left(ada.sessionToken)],
    [before - 1, before - 2, before - 3],
  )
})

test('a page that may hold the secret can read the reply', async () => {
  const ada = await registered(app)
  await validate(ada.sessionToken)
  const { status, headers } = await validate(ada.sessionToken, { origin: 'https://app.example' })
  assert.equal(status, 200)
  assert.equal(headers['access-control-allow-origin'], 'https://app.example')
})

test('names in any script arrive whole, from the database and from memory', async () => {
  const ada = await registered(app)
  const name = 'Zoë 李 🦉 \\u00e9 "x"'
  await sql`UPDATE users SET name = ${name} WHERE id = ${ada.id}`.execute(app.ctx.db)
  for (const source of ['database', 'memory']) {
    const { json, headers, text } = await validate(ada.sessionToken)
    assert.deepEqual([json.user.name, json.cacheSource], [name, source])
    assert.equal(Number(headers['content-length']), Buffer.byteLength(text))
  }
})

test('escaped JSON is ASCII and says the same', () => {
  const value = { é: 'ÿ\u2028 李 🦉 \\ " \u0000 \ud800' }
  const ascii = toAscii(JSON.stringify(value))
  assert.match(ascii, /^[\x20-\x7e]*$/)
  assert.deepEqual(JSON.parse(ascii), value)
})
