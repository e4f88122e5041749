import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { problemsOf } from '../config/support.ts'
import { assertError } from '../http/support.ts'
import { person, registered, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const breached = 'correct horse battery staple'
const unknown = 'seven quiet river stones'
const digitsOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()

let app: TestApp
const asked: IncomingMessage[] = []
let answer: (request: IncomingMessage, reply: ServerResponse) => void
const service = createServer((request, reply) => {
  asked.push(request)
  answer(request, reply)
})

before(async () => {
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  const { port } = service.address() as AddressInfo
  app = await startTestApp({
    env: { PASSWORD_BREACH_CHECK: 'true', PASSWORD_BREACH_URL: `http://127.0.0.1:${port}/range/` },
  })
})
after(async () => {
  await app.stop()
  service.closeAllConnections()
  service.close()
})
beforeEach(() => {
  asked.length = 0
  answer = (request, reply) => {
    const prefix = request.url?.split('/').at(-1) ?? ''
    const known = [breached].map(digitsOf).filter((digits) => digits.startsWith(prefix))
    const padding = digitsOf(unknown).startsWith(prefix) ? [`${digitsOf(unknown).slice(5)}:0`] : []
    reply.end(['0'.repeat(35).concat(':7'), ...known.map((one) => `${one.slice(5)}:51259`), ...padding].join('\r\n'))
  }
})

const register = (password: string) => app.post('/auth/register/public', { ...person(), password })

test('a password that was seen in a breach is refused wherever one is set, and nothing is written', async () => {
  const ada = await registered(app)
  const before = await rowCounts(app)
  const details = assertError(await register(breached), 400, 'WEAK_PASSWORD')
  assert.deepEqual(details, [{ field: 'password', message: 'is known from a breach: choose another one' }])
  const change = { current_password: ada.password, new_password: breached }
  assertError(await app.post('/auth/password-change/self', change, withSession(ada.bearer)), 400, 'WEAK_PASSWORD')
  assert.deepEqual(await rowCounts(app), before)
})

test('the other side learns five digits, and no more than a padded answer gives away', async () => {
  assert.equal((await register(unknown)).status, 200)
  const [request, ...more] = asked
  assert.deepEqual(more, [])
  assert.equal(request?.url, `/range/${digitsOf(unknown).slice(0, 5)}`)
  assert.equal(request?.headers['add-padding'], 'true')
  assert.doesNotMatch(JSON.stringify(request?.rawHeaders), new RegExp(digitsOf(unknown).slice(5), 'i'))
})

test('what the local rules refuse is not asked about, and neither is a password that is only checked', async () => {
  for (const password of ['short', 'password123']) assertError(await register(password), 400, 'WEAK_PASSWORD')
  await app.post('/auth/login', { email: person().email, password: unknown })
  assert.deepEqual(asked, [])
})

const troubles: Record<string, typeof answer> = {
  'no answer': () => {},
  'an answer that does not end': (_request, reply) => void reply.write('0'),
  'an error': (_request, reply) => void reply.writeHead(500).end('x'),
  'another place': (_request, reply) => void reply.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  'an end in the middle': (request) => void request.socket.destroy(),
  'too much': (_request, reply) => void reply.end('x'.repeat(2 * 1024 * 1024)),
}
for (const [trouble, behaviour] of Object.entries(troubles)) {
  test(`${trouble}: the password is taken within the time limit, and log and audit say so`, async () => {
    answer = behaviour
    const before = (await auditOf(app, 'dependency_down')).length
    const started = performance.now()
    assert.equal((await register(breached)).status, 200)
    assert.ok(performance.now() - started < 5_000)
    const [event, ...more] = (await auditOf(app, 'dependency_down')).slice(before)
    assert.deepEqual(more, [])
    assert.equal(event?.details.name, 'breached_passwords')
    assert.ok(app.logged().includes('could not be compared with known breaches'))
    for (const secret of [breached, digitsOf(breached), digitsOf(breached).slice(0, 5)])
      assert.ok(!app.logged().includes(secret))
  })
}

test('the check needs its address, and that is https or on this machine', () => {
  const on = { PASSWORD_BREACH_CHECK: 'true' }
  assert.deepEqual(problemsOf(on), ['PASSWORD_BREACH_CHECK needs PASSWORD_BREACH_URL'])
  for (const PASSWORD_BREACH_URL of [
    'https://api.example.com/range',
    'http://localhost:8080',
    'http://[::1]:8080/range',
  ])
    assert.deepEqual(problemsOf({ ...on, PASSWORD_BREACH_URL }), [], PASSWORD_BREACH_URL)
  const [problem] = problemsOf({ ...on, PASSWORD_BREACH_URL: 'http://api.example.com' })
  assert.match(problem ?? '', /must be https/)
})
