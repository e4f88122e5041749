import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newSessionToken } from '../../src/lib/ids.ts'
import { registered } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

const budget = 20
let app: TestApp
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_BRIDGE: `${budget}/1m` } })
})
after(() => app.stop())

const verify = (headers: Record<string, string>) =>
  app.get('/auth/verify', { headers: { 'x-bridge-secret': bridgeSecret, ...headers } })

const noSessions: Record<string, string>[] = [
  {},
  { cookie: 'theme=dark' },
  { cookie: 'session_id=' },
  { cookie: 'session_id=rubbish' },
  { cookie: `session_id=${newSessionToken()}; session_id=${newSessionToken()}` },
  { 'x-session-id': 'ses_short' },
  { authorization: 'Bearer ses_rubbish' },
  { authorization: 'Basic YTpi' },
]

test('visitors without a session do not use up the budget of their gateway', async () => {
  const ada = await registered(app)
  for (const headers of noSessions) {
    for (let count = 0; count < budget; count++) assert.equal((await verify(headers)).status, 401)
  }
  const seen = await verify({ cookie: `session_id=${ada.sessionToken}` })
  assert.equal(seen.status, 200)
  assert.equal(seen.headers['x-ratelimit-remaining'], String(budget - 1))

  for (let count = 1; count < budget; count++)
    assert.equal((await verify({ 'x-session-id': newSessionToken() })).status, 401)
  assert.equal((await verify({ 'x-session-id': newSessionToken() })).status, 429, 'what needs a look-up is counted')
  for (const headers of noSessions) assert.equal((await verify(headers)).status, 401)
  assert.equal((await auditOf(app, 'rate_limited')).length, 1)
})

test('what is not counted still needs the bridge secret', async () => {
  for (const headers of noSessions) {
    const reply = await verify({ ...headers, 'x-bridge-secret': 'wrong' })
    assert.ok([401, 429].includes(reply.status))
    assert.notEqual(reply.json.code, 'INVALID_SESSION')
  }
})
