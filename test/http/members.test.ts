import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { person, registered } from '../support/people.ts'
import { rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { assertError, everyCredential } from './support.ts'

interface BodySchema {
  properties: Record<string, { type: string; maxLength?: number; aliases?: string[] }>
  required?: string[]
}

let app: TestApp
let headers: Record<string, string>
let routes: { url: string; body: BodySchema }[]
before(async () => {
  app = await startTestApp()
  headers = await everyCredential(app)
  const { paths } = (await app.get('/openapi.json')).json
  routes = Object.entries<Record<string, never>>(paths).flatMap(([url, { post }]) => {
    const body = (post as { requestBody?: { content: Record<string, { schema: BodySchema }> } } | undefined)
      ?.requestBody
    return body ? [{ url, body: body.content['application/json']?.schema ?? { properties: {} } }] : []
  })
})
after(() => app.stop())

// As written, since 1e400 is no number of this language.
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

test('every member of every body refuses every other type, by name', async () => {
  const before = await rowCounts(app)
  assert.ok(routes.length >= 7)
  for (const { url, body } of routes) {
    for (const [name, { type, maxLength }] of Object.entries(body.properties)) {
      assert.equal(type, 'string', `${url} has a member of another type: ${name}`)
      for (const value of [...wrongForText, ...(maxLength ? [`"${'x'.repeat(maxLength + 1)}"`] : [])]) {
        const written = `{"${name}": ${value}}`
        const details = assertError(
          await app.post(url, written, { headers }),
          400,
          'VALIDATION_ERROR',
          `${url} ${written}`,
        )
        const [problem] = details.filter(({ field }) => field === name)
        assert.match(problem?.message ?? '', /^must (be a string|have at most \d+ characters)$/, `${url} ${written}`)
      }
    }
  }
  assert.deepEqual(await rowCounts(app), before)
})

test('every missing member is named, all at once', async () => {
  for (const { url, body } of routes.filter(({ body }) => body.required)) {
    for (const nothing of [
      '',
      '{}',
      'null',
      JSON.stringify(Object.fromEntries((body.required ?? []).map((name) => [name, null]))),
    ]) {
      const details = assertError(
        await app.post(url, nothing, { headers }),
        400,
        'VALIDATION_ERROR',
        `${url} ${nothing}`,
      )
      const expected = (body.required ?? []).map((field) => ({ field, message: 'is required' }))
      assert.deepEqual(details.toSorted(byField), expected.toSorted(byField), url)
    }
  }
})

const byField = (left: { field: string }, right: { field: string }): number => left.field.localeCompare(right.field)

test('a body that is no object is refused', async () => {
  for (const { url } of routes) {
    for (const body of ['[]', '[{}]', '"text"', '5', 'true']) {
      const details = assertError(await app.post(url, body, { headers }), 400, 'VALIDATION_ERROR', `${url} ${body}`)
      assert.deepEqual(details, [{ field: 'body', message: 'must be an object' }])
    }
  }
})

test('both spellings of a member, and every alias, mean the same one', async () => {
  for (const { url, body } of routes) {
    for (const [name, { aliases = [] }] of Object.entries(body.properties)) {
      const spellings = [...new Set([name, ...aliases].flatMap((one) => [one, inCamelCase(one)]))]
      for (const spelling of spellings.slice(1)) {
        const twice = assertError(
          await app.post(url, { [name]: 'one', [spelling]: 'two' }, { headers }),
          400,
          'VALIDATION_ERROR',
          url,
        )
        assert.deepEqual(
          twice.map(({ field }) => field),
          [name],
          `${url} ${spelling}`,
        )
        const wrong = assertError(await app.post(url, { [spelling]: 7 }, { headers }), 400, 'VALIDATION_ERROR', url)
        assert.ok(
          wrong.some(({ field, message }) => field === name && message === 'must be a string'),
          `${url} ${spelling}`,
        )
      }
    }
  }
})

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
  const { bearer } = await registered(app)
  const json = { 'content-type': 'application/json', 'x-session-id': bearer }
  assert.equal((await app.call('GET', '/auth/validation', { headers: json })).status, 200)
  assert.equal((await app.call('GET', '/auth/validation', { headers: json, body: '' })).status, 200)
  assert.equal((await app.call('POST', '/auth/validation', { headers: json, body: '' })).status, 200)
  assert.equal((await app.call('POST', '/auth/validation', { headers: { 'x-session-id': bearer } })).status, 200)
  assertError(await app.call('DELETE', '/auth/validation', { headers: json, body: '' }), 405, 'METHOD_NOT_ALLOWED')
})
