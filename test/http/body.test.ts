import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { person } from '../support/people.ts'
import { rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { assertError, everyCredential, ownRoutes } from './support.ts'

let app: TestApp
let headers: Record<string, string>
before(async () => {
  app = await startTestApp()
  headers = await everyCredential(app)
})
after(() => app.stop())

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

/** Bodies that no route accepts, each with the `field` in the response details. The keys describe the problem. */
const unreadable: Record<string, { body: string | Buffer; field: string }> = {
  'an unfinished object': { body: '{"email": "ada@example.com"', field: 'body' },
  'a comma at the end': { body: '{"email": "ada@example.com",}', field: 'body' },
  'single quotes': { body: "{'email': 'ada@example.com'}", field: 'body' },
  'a name without quotes': { body: '{email: "ada@example.com"}', field: 'body' },
  'typographic quotes': { body: '{“email”: “ada@example.com”}', field: 'body' },
  'a no-break space': { body: '{\u00a0"email": "ada@example.com"}', field: 'body' },
  'a line comment': { body: '// body\n{}', field: 'body' },
  'a block comment': { body: '{/* nothing */}', field: 'body' },
  'two byte order marks': { body: '\ufeff\ufeff{}', field: 'body' },
  null: { body: 'null', field: 'body' },
  'a list': { body: '[]', field: 'body' },
  'a text': { body: '"text"', field: 'body' },
  'a number': { body: '0', field: 'body' },
  'two values': { body: '{}{}', field: 'body' },
  NaN: { body: '{"email": NaN}', field: 'body' },
  Infinity: { body: '{"email": -Infinity}', field: 'body' },
  'a number beyond what can be stored': { body: '{"metadata": {"a": 1e400}}', field: 'metadata.a' },
  'a number with a leading zero': { body: '{"email": 01}', field: 'body' },
  'a raw line break in a string': { body: '{"email": "a\nb"}', field: 'body' },
  'bytes that are not UTF-8': { body: Buffer.from('{"password": "\xff"}', 'latin1'), field: 'body' },
  'UTF-16': { body: Buffer.from('{"email": "ada@example.com"}', 'utf16le'), field: 'body' },
  'nesting deeper than 20': { body: `{"a": ${nested(20)}}`, field: 'body' },
  'nesting of 10,000': { body: nested(10_000), field: 'body' },
  'nesting of 10,000 without an end': { body: '{"a":'.repeat(10_000), field: 'body' },
  'a list of 1,001': { body: JSON.stringify({ a: { list: Array(1_001).fill(0) } }), field: 'a.list' },
  'a text of 10,001': { body: JSON.stringify({ list: ['', 'x'.repeat(10_001)] }), field: 'list.1' },
  'a name of 10,001': { body: JSON.stringify({ ['x'.repeat(10_001)]: 1 }), field: 'body' },
  'U+0000 in a value': { body: '{"a": {"email": "ada\\u0000@example.com"}}', field: 'a.email' },
  'U+0000 in a name': { body: '{"a": {"email\\u0000": 1}}', field: 'a' },
  'half of a surrogate pair': { body: '{"password": "seven quiet \\ud83d stones"}', field: 'password' },
  'half of a surrogate pair in a name': { body: '{"\\ude00": 1}', field: 'body' },
  'a member __proto__': { body: '{"__proto__": {"polluted": true}}', field: 'body' },
  '__proto__ deep inside': { body: '{"a": [{"__proto__": {"polluted": true}}]}', field: 'a.0' },
  '__proto__ written with an escape': { body: '{"\\u005f_proto__": 1}', field: 'body' },
  'one name twice': { body: '{"email": "ada@example.com", "email": "grace@example.com"}', field: 'email' },
  'one name twice with one value': { body: '{"session_id": "x", "session_id": "x"}', field: 'session_id' },
  'one name twice, once escaped': { body: '{"token": 1, "\\u0074oken": 2}', field: 'token' },
  'one name twice in a member nobody reads': { body: '{"a": [{"b": 1}, {"b": 1, "c": 2, "b": {}}]}', field: 'b' },
}

test('a body that cannot be read is refused on every route, names the field, and writes nothing', async () => {
  const before = await rowCounts(app)
  for (const { method, url, rule } of ownRoutes(app).filter(({ method }) => method !== 'GET')) {
    for (const [wrong, { body, field }] of Object.entries(unreadable)) {
      if (rule.largeBody && wrong === 'a text of 10,001') continue
      const details = assertError(
        await app.call(method, url, { headers, body }),
        400,
        'VALIDATION_ERROR',
        `${url} with ${wrong}:`,
      )
      assert.deepEqual(
        details.map((problem) => problem.field),
        [field],
        `${url} with ${wrong}`,
      )
    }
  }
  assert.deepEqual(await rowCounts(app), before)
  assert.equal('polluted' in {}, false)
})

test('a body over 100 kB, or over 2 MiB where people write, is 413, whether its length is announced or not', async () => {
  const text = JSON.stringify({ pad: ['x'.repeat(9_999)], more: Array(10).fill('x'.repeat(9_000)) })
  for (const { method, url, rule } of ownRoutes(app).filter(({ method }) => method !== 'GET')) {
    const fits = text.padEnd(rule.largeBody ? 2 * 1024 * 1024 : 102_400, ' ')
    assertError(await app.call(method, url, { headers, body: `${fits} ` }), 413, 'PAYLOAD_TOO_LARGE', url)
    const reply = await app.http.inject({
      method: method as 'POST',
      url,
      headers: { ...headers, 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      payload: Readable.from([fits, fits]),
    })
    assert.equal(reply.statusCode, 413, url)
  }
  assertError(await app.post('/auth/login', text.padEnd(102_400, ' ')), 400, 'VALIDATION_ERROR')
})

test('a crowd of members that nobody asked for is left behind', async () => {
  const crowd = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`k${index}`, 1]))
  assertError(await app.post('/auth/login', crowd), 400, 'VALIDATION_ERROR')
  const reply = await app.post('/auth/register/public', {
    ...person(),
    ...crowd,
    constructor: { prototype: { polluted: true } },
  })
  assert.equal(reply.status, 200, reply.text)
  assert.equal('polluted' in {}, false)
})

test('what is not JSON is 415, also when a form carries the right members', async () => {
  const before = await rowCounts(app)
  const types = [
    'text/plain',
    'text/json',
    'application/json5',
    'application/jsonx',
    'application/xml',
    'multipart/form-data; boundary=x',
    '*/*',
    'json',
  ]
  // Module hub routes parse bodies of any content type as JSON: see test/hub/routes.test.ts.
  const asked = ownRoutes(app).filter(({ method, url }) => method !== 'GET' && !url.startsWith('/api/v1/modules/'))
  for (const { method, url, rule } of asked) {
    for (const type of [
      ...types.filter((type) => !(rule.upload && type.startsWith('multipart/'))),
      ...(rule.form ? [] : ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded; charset=utf-8']),
    ]) {
      const body = type.includes('urlencoded') ? 'email=ada%40example.com&password=seven+quiet+river+stones' : '{}'
      const reply = await app.call(method, url, { headers: { ...headers, 'content-type': type }, body })
      assertError(reply, 415, 'UNSUPPORTED_MEDIA_TYPE', `${url} with ${type}`)
    }
  }
  assert.deepEqual(await rowCounts(app), before)
})

test('parameters of the content type and its case do not matter', async () => {
  for (const type of ['application/json;charset=utf-8', 'Application/JSON', 'application/json; charset="UTF-8"']) {
    assertError(
      await app.call('POST', '/auth/login', { headers: { 'content-type': type }, body: '{}' }),
      400,
      'VALIDATION_ERROR',
      type,
    )
  }
})
