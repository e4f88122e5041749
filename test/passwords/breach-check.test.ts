import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { load, problemsOf } from '../config/support.ts'
import { assertError } from '../http/support.ts'
import { person, registered, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const breached = 'correct horse battery staple'
const unknown = 'seven quiet river stones'
const digitsOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()

let app: TestApp
let rangeUrl: string
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
  rangeUrl = `http://127.0.0.1:${port}/range/`
  app = await startTestApp({ env: { PASSWORD_BREACH_CHECK: 'true', PASSWORD_BREACH_URL: rangeUrl } })
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
  assert.deepEqual(details, [{ field: 'password', message: 'appeared in a data breach: choose another one' }])
  const change = { current_password: ada.password, new_password: breached }
  assertError(await app.post('/auth/password-change/self', change, withSession(ada.sessionToken)), 400, 'WEAK_PASSWORD')
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
    assert.ok(app.logged().includes('could not compare a new password with known breaches'))
    for (const secret of [breached, digitsOf(breached), digitsOf(breached).slice(0, 5)])
      assert.ok(!app.logged().includes(secret))
  })
}

test('with a list in a file the password is looked up there, and nobody is asked', async (t) => {
  const list = join(temporaryDirectory('breaches'), 'list.txt')
  const hashes = [breached, ...Array.from({ length: 5_000 }, (_, number) => `password ${number}`)].map(digitsOf)
  writeFileSync(
    list,
    hashes
      .toSorted()
      .map((digits) => `${digits}:3\r\n`)
      .join(''),
  )
  const offline = await startTestApp({
    env: { PASSWORD_BREACH_CHECK: 'true', PASSWORD_BREACH_LIST: list, PASSWORD_BREACH_URL: rangeUrl },
  })
  t.after(() => offline.stop())
  const registerOffline = (password: string) => offline.post('/auth/register/public', { ...person(), password })
  assertError(await registerOffline(breached), 400, 'WEAK_PASSWORD')
  assertError(await registerOffline('password 4711'), 400, 'WEAK_PASSWORD')
  assert.equal((await registerOffline(unknown)).status, 200)
  assert.equal((await auditOf(offline, 'dependency_down')).length, 0)

  rmSync(list)
  assert.equal((await registerOffline(breached)).status, 200, 'the service stays usable without its list')
  assert.ok(offline.logged().includes('could not compare a new password with known breaches'))
  const [event] = await auditOf(offline, 'dependency_down')
  assert.equal(event?.details.name, 'breached_passwords')
  assert.deepEqual(asked, [])
})

test('a list that cannot be used stops the start', () => {
  const directory = temporaryDirectory('breaches')
  const hashes = Array.from({ length: 2_000 }, (_, number) => digitsOf(`${number}`)).toSorted()
  const problemOf = (lines: readonly string[] | undefined, more = {}): string => {
    const PASSWORD_BREACH_LIST = join(directory, 'list.txt')
    rmSync(PASSWORD_BREACH_LIST, { force: true })
    if (lines) writeFileSync(PASSWORD_BREACH_LIST, lines.map((text) => `${text}\n`).join(''))
    return problemsOf({ PASSWORD_BREACH_CHECK: 'true', PASSWORD_BREACH_LIST, ...more }).join()
  }
  assert.equal(problemOf(hashes), '')
  assert.equal(problemOf(hashes.map((digits) => `${digits.toLowerCase()}:12`)), '')
  assert.match(problemOf(undefined), /PASSWORD_BREACH_LIST names a file that cannot be read \(ENOENT\)/)
  assert.match(problemOf([]), /without one SHA-1 hash per line/)
  assert.match(problemOf(['password', '123456']), /without one SHA-1 hash per line/)
  assert.match(problemOf([`${'A'.repeat(32)}:4`]), /NTLM/)
  assert.match(problemOf(hashes.toReversed()), /not sorted/)
  assert.match(problemOf([...hashes.slice(1_000), ...hashes.slice(0, 1_000)]), /not sorted/)
  assert.match(problemOf([...hashes.slice(0, 1_500), ...Array(500).fill('x'.repeat(40))]), /not a SHA-1 hash/)
  assert.match(problemOf(hashes, { PASSWORD_BREACH_CHECK: 'false' }), /only with PASSWORD_BREACH_CHECK=true/)
})

test('the check asks Have I Been Pwned unless told otherwise, by https or on this machine', () => {
  const on = { PASSWORD_BREACH_CHECK: 'true' }
  assert.equal(load(on).PASSWORD_BREACH_URL, 'https://api.pwnedpasswords.com/range')
  for (const PASSWORD_BREACH_URL of [
    'https://api.example.com/range',
    'http://localhost:8080',
    'http://[::1]:8080/range',
  ])
    assert.deepEqual(problemsOf({ ...on, PASSWORD_BREACH_URL }), [], PASSWORD_BREACH_URL)
  const [problem] = problemsOf({ ...on, PASSWORD_BREACH_URL: 'http://api.example.com' })
  assert.match(problem ?? '', /must be https/)
})
