import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { askService, type KnownSession } from '../../packages/server/src/ask-service.ts'
import { newSessionToken } from '../../src/lib/ids.ts'
import { day, second } from '../../src/lib/time.ts'
import { assertError } from '../http/support.ts'
import { eventually } from '../support/eventually.ts'
import { registered, type SignedIn, withSession } from '../support/people.ts'
import { emailFactor, requireSecondFactor } from '../support/second-factor.ts'
import { useIsWritten } from '../support/session-use.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let people: SignedIn[]
before(async () => {
  app = await startTestApp({ secondFactor: emailFactor })
  people = [await registered(app), await registered(app, 'grace'), await registered(app, 'alan')]
})
after(() => app.stop())

const asBackEnd = { headers: { 'x-bridge-secret': bridgeSecret } }
const post = (body: object, url = '/auth/bridge/validate') => app.post(url, body, asBackEnd)
const results = async (session_ids: readonly unknown[], tags?: string[]) => {
  const { status, json, text } = await post({ session_ids, tags })
  assert.equal(status, 200, text)
  assert.deepEqual(Object.keys(json), ['success', 'process', 'time', 'results'])
  assert.equal(json.process, app.ctx.node)
  assert.equal(json.success, true)
  return json.results
}
/** Expires the cached sessions so that they are read from the database again. */
const age = () => app.clock.advance(6 * second)
const refused = { success: false, error: 'Invalid session', code: 'INVALID_SESSION' }
const outcome = ({ success, user, code }: { success: boolean; user?: { email: string }; code?: string }) =>
  success ? user?.email : code

test('each result is what a single validation answers', async () => {
  age()
  const many = await results(people.map(({ sessionToken }) => sessionToken))
  assert.deepEqual(
    many.map((one: { cacheSource: string }) => one.cacheSource),
    ['database', 'database', 'database'],
  )
  const again = await results(people.map(({ sessionToken }) => sessionToken))
  for (const [index, { sessionToken }] of people.entries()) {
    const { json } = await post({ session_id: sessionToken })
    assert.equal(json.cacheSource, 'memory')
    const { tag } = again[index]
    assert.deepEqual(again[index], { ...json, age: 0, tag })
    assert.deepEqual({ ...many[index], cached: true, cacheSource: 'memory' }, { ...json, age: 0, tag })
  }
})

test('duplicates, garbage and what has ended get one result each, in the order asked', async () => {
  const [ada, grace] = people as [SignedIn, SignedIn]
  const gone = await registered(app)
  await app.post('/auth/logout', {}, withSession(gone.sessionToken))
  const half = await registered(app)
  await requireSecondFactor(app, half.id)
  const partial = (await app.post('/auth/login', { email: half.email, password: half.password })).json.sessionId
  const garbage = [
    '',
    ' ',
    'ses_',
    `${ada.sessionToken}x`,
    'x'.repeat(9_000),
    '{"a":1}',
    '../../etc/passwd',
    'é',
    newSessionToken(),
  ]
  age()
  const asked = [
    ada.sessionToken,
    ...garbage,
    ada.sessionToken,
    gone.sessionToken,
    partial,
    grace.sessionToken,
    ada.sessionToken,
  ]
  const answered = await results(asked)
  assert.deepEqual(answered.map(outcome), [
    ada.email,
    ...garbage.map(() => 'INVALID_SESSION'),
    ada.email,
    'INVALID_SESSION',
    'TWO_FACTOR_REQUIRED',
    grace.email,
    ada.email,
  ])
  assert.deepEqual(answered[1], refused)
  assert.deepEqual(answered.at(-3), { ...refused, code: 'TWO_FACTOR_REQUIRED' })
})

test('one statement reads all that are not in memory, and none when all are', async (t) => {
  const statements = mock.method(app.ctx.db, 'executeQuery')
  t.after(() => statements.mock.restore())
  const lookups = () =>
    statements.mock.calls.filter((call) => (call.arguments[0] as { sql: string }).sql.includes('s.token_hash')).length
  age()
  const asked = Array.from({ length: 500 }, (_, index) => people[index]?.sessionToken ?? newSessionToken())
  assert.equal((await results(asked)).length, 500)
  assert.equal(lookups(), 1)
  await results(people.map(({ sessionToken }) => sessionToken))
  assert.equal(lookups(), 1)
  assert.deepEqual(await results([]), [])
  assert.deepEqual((await results(['x', 'y'])).map(outcome), ['INVALID_SESSION', 'INVALID_SESSION'])
  assert.equal(lookups(), 1, 'what cannot be a session is not looked up')
})

test('a session that has run out, or was ended, is refused in a list too', async () => {
  const ada = await registered(app)
  assert.deepEqual((await results([ada.sessionToken])).map(outcome), [ada.email])
  await app.post('/auth/logout', {}, withSession(ada.sessionToken))
  assert.deepEqual((await results([ada.sessionToken])).map(outcome), ['INVALID_SESSION'], 'at once')
  const grace = await registered(app, 'grace')
  app.clock.advance(31 * day)
  assert.deepEqual((await results([grace.sessionToken])).map(outcome), ['INVALID_SESSION'])
})

test('counts as use of each session', async () => {
  const ada = await registered(app)
  for (let days = 0; days < 4; days++) {
    app.clock.advance(2 * day)
    assert.deepEqual((await results([ada.sessionToken])).map(outcome), [ada.email], `after ${2 * days + 2} days`)
    await useIsWritten(app, ada.id)
  }
})

test('more than 500 are refused before any work, however many', async (t) => {
  const statements = mock.method(app.ctx.db, 'executeQuery')
  t.after(() => statements.mock.restore())
  for (const count of [501, 1_001, 10_000]) {
    const reply = await post({ session_ids: Array.from({ length: count }, newSessionToken) })
    const details = assertError(reply, 400, 'VALIDATION_ERROR', `${count}`)
    assert.deepEqual(
      details.map(({ field }) => field),
      ['session_ids'],
    )
  }
  assert.equal(statements.mock.callCount(), 0)
})

test('what is no list of texts, and what has no place beside a list, is refused by name', async () => {
  const [{ sessionToken }] = people as [SignedIn]
  const wrong: [field: string, body: object, url?: string][] = [
    ['session_ids', { session_ids: sessionToken }],
    ['session_ids', { session_ids: {} }],
    ['session_ids.1', { session_ids: [sessionToken, null] }],
    ['session_ids.0', { session_ids: [[sessionToken]] }],
    ['session_id', { session_ids: [sessionToken], session_id: sessionToken }],
    ['session_id', { session_ids: [sessionToken] }, `/auth/bridge/validate?session_id=${sessionToken}`],
    ['ip', { session_ids: [sessionToken], ip: '198.51.100.7' }],
    ['user_agent', { session_ids: [sessionToken], user_agent: 'curl' }],
    ['device_id', { session_ids: [sessionToken], device_id: 'phone' }],
  ]
  for (const [field, body, url] of wrong) {
    const details = assertError(await post(body, url), 400, 'VALIDATION_ERROR', JSON.stringify(body))
    assert.deepEqual(
      details.map((one) => one.field),
      [field],
    )
  }
})

test('needs the bridge secret, and takes the other spelling', async () => {
  const { sessionToken, email } = await registered(app)
  assertError(await app.post('/auth/bridge/validate', { session_ids: [sessionToken] }), 401, 'BRIDGE_SECRET_REQUIRED')
  assert.equal((await post({ sessionIds: [sessionToken] })).json.results[0].success, true, email)
})

test('tells how old its knowledge is, and confirms what is older than half its lifetime', async () => {
  const ada = await registered(app)
  const agesAfter = async (milliseconds: number) => {
    app.clock.advance(milliseconds)
    const [one] = await results([ada.sessionToken])
    return [one.age, one.cacheSource]
  }
  age()
  assert.deepEqual(await agesAfter(0), [0, 'database'])
  assert.deepEqual(await agesAfter(2_000), [2_000, 'memory'])
  assert.deepEqual(await agesAfter(1_000), [0, 'database'])
  assert.deepEqual(await agesAfter(2_000), [2_000, 'memory'])
})

test('says only that nothing has changed, to those who know it', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  const both = [ada.sessionToken, grace.sessionToken]
  const [one, other] = await results(both)
  assert.notEqual(one.tag, other.tag)
  const [same, foreign] = await results(both, [one.tag, one.tag])
  assert.deepEqual(Object.keys(same), ['success', 'unchanged', 'last_used_at', 'expires_at', 'timestamp', 'age'])
  assert.deepEqual([same.last_used_at, same.expires_at], [one.session.lastUsedAt, one.expires_at])
  assert.equal(foreign.user.email, grace.email)
  await app.call('PUT', '/auth/profile', { body: { name: 'Augusta' }, ...withSession(ada.sessionToken) })
  assert.equal((await results(both, [one.tag, other.tag]))[0].user.name, 'Augusta')
  await app.post('/auth/logout', {}, withSession(ada.sessionToken))
  assert.deepEqual((await results([ada.sessionToken], [one.tag])).map(outcome), ['INVALID_SESSION'])
})

test('says of a session that was only used since then when it was, and when it ends now', async () => {
  const ada = await registered(app)
  const [before] = await results([ada.sessionToken])
  app.clock.advance(3_600_000)
  await results([ada.sessionToken], [before.tag])
  await eventually(async () => {
    const [{ unchanged, last_used_at, expires_at }] = await results([ada.sessionToken], [before.tag])
    assert.equal(unchanged, true)
    const [used, ends] = [new Date(app.clock.now()).toISOString(), laterBy(3_600_000, before.expires_at)]
    return last_used_at === used && expires_at === ends
  })
})

test('the server package shows these times', async () => {
  const ada = await registered(app)
  const fetchFromApp: typeof fetch = async (_url, init) => {
    const { status, text } = await post(JSON.parse(String(init?.body)))
    return new Response(text, { status })
  }
  const ask = askService({ internalUrl: 'http://service.test', bridgeSecret, fetch: fetchFromApp })
  const validOne = async (known?: KnownSession) => {
    const [answer] = (await ask([{ token: ada.sessionToken, endUser: undefined }], [known])).answers
    assert.ok(answer?.state === 'valid')
    return answer
  }
  const before = await validOne()
  app.clock.advance(3_600_000)
  await eventually(async () => {
    const { value, remaining } = await validOne(before)
    assert.ok(value.session && value.expires_at && before.value.expires_at)
    assert.deepEqual({ ...value, session: 0, expires_at: 0 }, { ...before.value, session: 0, expires_at: 0 })
    const isFollowed =
      value.session.lastUsedAt === new Date(app.clock.now()).toISOString() &&
      value.expires_at === laterBy(3_600_000, before.value.expires_at) &&
      value.session.expiresAt === value.expires_at
    return isFollowed && value !== before.value && Object.isFrozen(value.session) && remaining === before.remaining
  })
})

const laterBy = (milliseconds: number, time: string) => new Date(Date.parse(time) + milliseconds).toISOString()
