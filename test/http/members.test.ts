import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { apiDocument } from '../support/api-document.ts'
import { person, registered } from '../support/people.ts'
import { passwordlessUser, recoverySession } from '../support/recovery.ts'
import { rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { assertError, everyCredential } from './support.ts'

interface BodySchema {
  properties: Record<string, { type: string | string[]; enum?: string[]; maxLength?: number; 'x-aliases'?: string[] }>
  required?: string[]
}

let app: TestApp
let headers: Record<string, string>
let recovering: Record<string, string>
let routes: { method: string; url: string; body: BodySchema }[]
before(async () => {
  const plenty = {
    RATE_LIMIT_BULK: '10000/1h',
    RATE_LIMIT_EXPORT: '10000/1h',
    RATE_LIMIT_COMMENT: '10000/1h',
    RATE_LIMIT_INTERACT: '10000/1h',
    RATE_LIMIT_API_KEY_WRITE: '10000/1h',
    RATE_LIMIT_API_KEY_FAIL: '10000/1h',
  }
  app = await startTestApp({ env: plenty })
  headers = await everyCredential(app)
  recovering = { 'x-session-id': await recoverySession(app, await passwordlessUser(app)) }
  const { paths } = await apiDocument(app)
  type Operation = { requestBody?: { content: Record<string, { schema: BodySchema }> } }
  routes = Object.entries<Record<string, Operation>>(paths).flatMap(([url, item]) =>
    Object.entries(item).flatMap(([method, { requestBody }]) => {
      const body = requestBody?.content['application/json']?.schema
      return body ? [{ method: method.toUpperCase(), url: withValues(url), body }] : []
    }),
  )
})
after(() => app.stop())

/** Replaces the path parameters with the ids of existing objects. */
const withValues = (url: string): string =>
  url
    .replace('{module_id}', 'two-factor')
    .replace('{method}', 'email')
    .replace(/\{(revision_|comment_|passkey_)?id\}/g, '01900000-0000-7000-8000-000000000000')
    .replace('{key}', 'post')
    .replace('{lang}', 'es')

const send = ({ method, url }: { method: string; url: string }, body: unknown) =>
  app.call(method, url, { body, headers: url.startsWith('/auth/recovery/passkeys') ? recovering : headers })

// The body is JSON text because JavaScript cannot represent the number 1e400.
const wrongForText = [
  '0',
  '-1',
  '1.5',
  '1e400',
  'true',
  'false',
  '[]',
  '["ada@example.com"]',
  '{}',
  '{"$ne": null}',
  '{"length": 5}',
  '[[]]',
]

const wrongFor: Record<string, string[]> = {
  string: wrongForText,
  'string,null': wrongForText,
  boolean: ['0', '1', '"true"', '""', '[]', '{}'],
  array: ['"text"', '5', 'true', '{}', '[5]'],
  choice: [...wrongForText, '"another word"'],
  integer: ['"text"', '1.5', 'true', '[]', '{}'],
  'integer,null': ['"text"', '1.5', 'true', '[]', '{}'],
  object: ['"text"', '5', 'true', '[]', '[{}]'],
  'string,object': ['0', 'true', '[]', '[{}]'],
  'object,null': ['"text"', '5', 'true', '[]', '[{}]'],
}

test('every member of every body refuses every other type, by name', async () => {
  const before = await rowCounts(app)
  assert.ok(routes.length >= 7)
  for (const route of routes) {
    for (const [name, { type, enum: choice, maxLength }] of Object.entries(route.body.properties)) {
      const wrong = wrongFor[choice ? 'choice' : String(type)]
      assert.ok(wrong, `${route.url} has a member of another type: ${name}`)
      for (const value of [...wrong, ...(maxLength ? [`"${'x'.repeat(maxLength + 1)}"`] : [])]) {
        const written = `{"${name}": ${value}}`
        const about = `${route.method} ${route.url} ${written}`
        const details = assertError(await send(route, written), 400, 'VALIDATION_ERROR', about)
        const [problem] = details.filter(({ field }) => field === name || field === `${name}.0`)
        assert.match(
          problem?.message ?? '',
          /^must (be a string|be a string or null|be a string or object|be a boolean|be an integer|be an integer or null|be a number in range|be an array|be an object|be an object or null|be one of .+|be "\w+"|have at most \d+ characters)$/,
          about,
        )
      }
    }
  }
  assert.deepEqual(await rowCounts(app), before)
})

test('every missing member is named, all at once', async () => {
  for (const route of routes.filter(({ body }) => body.required)) {
    const { url, body } = route
    for (const nothing of [
      '',
      '{}',
      JSON.stringify(Object.fromEntries((body.required ?? []).map((name) => [name, null]))),
    ]) {
      const details = assertError(await send(route, nothing), 400, 'VALIDATION_ERROR', `${url} ${nothing}`)
      const expected = (body.required ?? []).map((field) => ({ field, message: 'is required' }))
      assert.deepEqual(details.toSorted(byField), expected.toSorted(byField), url)
    }
  }
})

const byField = (left: { field: string }, right: { field: string }): number => left.field.localeCompare(right.field)

test('a body that is no object is refused', async () => {
  for (const route of routes) {
    for (const body of ['[]', '[{}]', '"text"', '5', 'true', 'null']) {
      const details = assertError(await send(route, body), 400, 'VALIDATION_ERROR', `${route.url} ${body}`)
      assert.deepEqual(details, [{ field: 'body', message: 'must be a JSON object' }])
    }
  }
})

test('both spellings of a member, and every alias, mean the same one, and problems name the spelling that was sent', async () => {
  for (const route of routes) {
    const { url, body } = route
    for (const [name, { type, enum: choice, 'x-aliases': aliases = [] }] of Object.entries(body.properties)) {
      const spellings = [...new Set([name, ...aliases].flatMap((one) => [one, inCamelCase(one)]))]
      for (const spelling of spellings.slice(1)) {
        const twice = assertError(await send(route, { [name]: 'one', [spelling]: 'two' }), 400, 'VALIDATION_ERROR', url)
        assert.deepEqual(
          twice.map(({ field }) => field),
          [name],
          `${url} ${spelling}`,
        )
        const wrong = assertError(
          await send(route, { [spelling]: [type].flat().includes('integer') ? 'seven' : 7 }),
          400,
          'VALIDATION_ERROR',
          url,
        )
        assert.ok(
          wrong.some(
            ({ field, message }) =>
              field === spelling && (isType(message, type) || (choice && message.startsWith('must be one of '))),
          ),
          `${url} ${spelling}`,
        )
      }
    }
  }
})

const isType = (message: string, type: string | string[]): boolean =>
  [type].flat().some((one) => message.replace(/ or null$/, '') === `must be ${/^[aio]/.test(one) ? 'an' : 'a'} ${one}`)

const inCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

test('one value in two spellings is one value, and null in one of them leaves the other', async () => {
  const ada = await registered(app)
  const { user_name, password } = ada
  for (const body of [
    { user_name, userName: user_name, identifier: user_name, password },
    { user_name: null, userName: user_name, email: null, password },
    { identifier: user_name, password, device_id: null, deviceId: null },
  ]) {
    assert.equal((await app.post('/auth/login', body)).status, 200, JSON.stringify(body))
  }
})

test('unknown members are ignored, whatever they hold', async () => {
  const more = { role: ['superadmin'], limit: { $gt: 0 }, 'user-type': 7, toString: null, hasOwnProperty: {} }
  const { status, json } = await app.post('/auth/register/public', { ...person(), ...more })
  assert.equal(status, 200)
  assert.equal(json.user.user_type, 'customer')
})

test('an empty body with the JSON content type is an empty object, on any method', async () => {
  const { sessionToken } = await registered(app)
  const json = { 'content-type': 'application/json', 'x-session-id': sessionToken }
  assert.equal((await app.call('GET', '/auth/validation', { headers: json })).status, 200)
  assert.equal((await app.call('GET', '/auth/validation', { headers: json, body: '' })).status, 200)
  assert.equal((await app.call('POST', '/auth/validation', { headers: json, body: '' })).status, 200)
  assert.equal((await app.call('POST', '/auth/validation', { headers: { 'x-session-id': sessionToken } })).status, 200)
  assertError(await app.call('DELETE', '/auth/validation', { headers: json, body: '' }), 405, 'METHOD_NOT_ALLOWED')
})

test('an empty credential is a mistake, not a wrong credential', async () => {
  // /auth/password-check is excluded because its password is not a credential.
  const asking = routes.filter(({ url }) => url.startsWith('/auth/') && url !== '/auth/password-check')
  for (const { method, url, body } of asking) {
    // `form_token` is excluded because it is not a credential.
    for (const name of Object.keys(body.properties).filter(
      (one) => one !== 'form_token' && /(^|_)(token|password|challenge_id)$|^(verification_)?code$/.test(one),
    )) {
      const details = assertError(
        await send({ method, url }, { [name]: '' }),
        400,
        'VALIDATION_ERROR',
        `${url} ${name}`,
      )
      assert.ok(
        details.some(({ field }) => field === name),
        `${url} ${name}`,
      )
    }
  }
})
