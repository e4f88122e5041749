import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { KnownRoute } from '../../src/http/server/route-table.ts'
import { anyCharacter } from '../support/any-character.ts'
import { signedInAs } from '../support/people.ts'
import { beginningOf, bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import { declaredRoutes, listen } from './support.ts'

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  examples?: unknown[]
  default?: unknown
}

type Part = 'params' | 'querystring' | 'body'

/** A place where a route's input accepts text. */
interface Position {
  route: KnownRoute
  part: Part
  /** The member names that lead to the position, outermost first. A number is an array index. */
  path: (string | number)[]
}

let app: TestApp
let session: string
let postId: string
let positions: Position[]
const anId = '01900000-0000-7000-8000-000000000000'

before(async () => {
  const limits = Object.keys((await import('../support/production-limits.ts')).productionLimits)
  app = await startTestApp({
    modules: ['onboarding', 'privacy', 'two-factor', 'api-keys', 'oauth', 'blog', 'post-types'],
    env: {
      BLOG_ENABLED: 'true',
      POST_TYPES_ENABLED: 'true',
      EVENT_ALLOW_PRIVATE_HOSTS: 'true',
      ...Object.fromEntries(limits.map((name) => [name, '1000000/1m'])),
    },
  })
  await signIn()
  const post = await app.post('/api/v1/posts', { title: 'Notes', body: 'Words.' }, credentials())
  postId = post.json.data.id
  const routes = declaredRoutes(app).filter(({ rule }) => rule.errors === 'own')
  positions = routes.flatMap((route) =>
    (['params', 'querystring', 'body'] as const).flatMap((part) =>
      textsOf(route.schema[part] as Schema | undefined).map((path) => ({ route, part, path })),
    ),
  )
})
after(() => app.stop())

async function signIn(): Promise<void> {
  session = (await signedInAs(app, 'superadmin')).sessionToken
}

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the type of a reply is not known at compile time.
  json: any
  text: string
}

/** Does not use `app.call`, whose leak watch would treat values in write-only members as secrets. */
async function ask(method: string, url: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
  const reply = await app.http.inject({
    method: method as 'GET',
    url,
    headers: { ...type, ...headers },
    payloadAsStream: true,
    ...payload,
  })
  const text = await beginningOf(reply)
  const isJson = String(reply.headers['content-type']).includes('json') && text !== ''
  return { status: reply.statusCode, text, json: isJson ? JSON.parse(text) : undefined }
}

const credentials = () => ({ headers: { 'x-bridge-secret': bridgeSecret, 'x-session-id': session } })

/**
 * The paths at which a value of this schema can contain text. An object with arbitrary members gets the member
 * `chosen`.
 */
function textsOf(schema: Schema | undefined, path: Position['path'] = []): Position['path'][] {
  if (!schema || path.length > 4) return []
  const types = [schema.type].flat()
  if (types.includes('array')) return textsOf(schema.items ?? { type: 'string' }, [...path, 0])
  if (types.includes('object') || schema.properties) {
    const members = Object.entries(schema.properties ?? { chosen: { type: 'string' } })
    return members.flatMap(([name, member]) => textsOf(member, [...path, name]))
  }
  return [path]
}

/** The host of webhooks in examples. Looking it up can take longer than this file may wait at its end. */
const unknownHost = 'https://api.example.com'
/** Refuses all connections. */
const closedPort = 'http://127.0.0.1:1'

/** A value that the schema accepts. */
function sampleOf(schema: Schema | undefined, name = ''): unknown {
  const { type, examples, properties = {}, required = [], items } = schema ?? {}
  if (examples?.length) return JSON.parse(JSON.stringify(examples[0]).replace(unknownHost, closedPort))
  if (schema?.enum) return schema.enum[0]
  const [first] = [type].flat()
  if (first === 'boolean') return true
  if (first === 'integer' || first === 'number') return 1
  if (first === 'array') return items ? [sampleOf(items)] : []
  if (first === 'object' || schema?.properties)
    return Object.fromEntries(required.map((member) => [member, sampleOf(properties[member], member)]))
  return name.endsWith('id') ? anId : 'word'
}

const pathValues: Record<string, string> = {
  provider: 'google',
  module_id: 'blog',
  method: 'email',
  key: 'post',
  lang: 'es',
  slug: 'notes',
}

function requestWith({ route, part, path }: Position, hostile: string) {
  const { url, schema } = route
  const values: Record<string, string> = {}
  for (const [, name = ''] of url.matchAll(/:([a-z_]+)/g))
    values[name] = pathValues[name] ?? (url.includes('/posts/') ? postId : anId)
  if (part === 'params') values[String(path[0])] = hostile
  const filled = url.replace(/:([a-z_]+)/g, (_, name: string) => encoded(values[name] ?? ''))
  const query = part === 'querystring' ? `?${encoded(String(path[0]))}=${encoded(hostile)}` : ''
  const body = sampleOf(schema.body as Schema | undefined)
  return {
    address: filled + query,
    body: part === 'body' ? placed(body, path, hostile) : schema.body ? body : undefined,
  }
}

/** A lone surrogate cannot be encoded as UTF-8, so its bytes are sent percent-encoded. */
const encoded = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80')

function placed(value: unknown, [first, ...rest]: Position['path'], hostile: string): unknown {
  if (first === undefined) return hostile
  if (typeof first === 'number') return [placed(undefined, rest, hostile)]
  const members = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  return { ...members, [first]: placed(members[first], rest, hostile) }
}

async function send(position: Position, hostile: string): Promise<Answer> {
  const { route } = position
  const { address, body } = requestWith(position, hostile)
  const call = () => ask(route.method, address, credentials().headers, body)
  const reply = await call()
  if (reply.status !== 401) return reply
  // The previous call ended the session or deleted its user.
  await signIn()
  return call()
}

const labelOf = ({ route, part, path }: Position, hostile: string): string =>
  `${route.method} ${route.url}, ${part} ${path.join('.')}: ${JSON.stringify(hostile).slice(0, 60)}`

/**
 * Asserts that there was no internal error. Routes for features that are not configured return NOT_CONFIGURED for any
 * input.
 */
function assertSound(reply: Answer, about: string): void {
  const isSound = reply.status < 500 || reply.json?.code === 'NOT_CONFIGURED'
  assert.ok(isSound, `${about}: ${reply.status} ${reply.text.slice(0, 200)}`)
  if (reply.json?.code !== 'VALIDATION_ERROR') return
  assert.ok(reply.json.details?.length > 0, `${about}: ${reply.text}`)
  for (const { field } of reply.json.details) assert.ok(field, `${about}: ${reply.text}`)
}

test('U+0000 is refused in every text that a route takes, by the name of its member', async () => {
  assert.ok(positions.length > 400, `only ${positions.length} places were found`)
  for (const position of positions) {
    for (const hostile of ['\0', 'a\0b']) {
      const reply = await send(position, hostile)
      const about = labelOf(position, hostile)
      assert.equal(reply.status, 400, `${about}: ${reply.text.slice(0, 200)}`)
      if (!reply.json) continue
      const fields = reply.json.details?.map(({ field }: { field: string }) => field)
      assert.deepEqual(fields, [position.path.join('.')], about)
    }
  }
})

test('a lone surrogate is refused in every member of a body, and cannot be said in an address', async () => {
  for (const position of positions) {
    const reply = await send(position, 'a\ud800')
    const about = labelOf(position, 'a\ud800')
    assertSound(reply, about)
    if (position.part === 'params') assert.ok([404, 405].includes(reply.status), `${about}: ${reply.status}`)
    if (position.part !== 'body') continue
    assert.equal(reply.status, 400, about)
    if (reply.json) assert.equal(reply.json.details[0].field, position.path.join('.'), about)
  }
})

const long = 'x'.repeat(9_000)
const pieces = [
  '%',
  '%zz',
  '%C0%80',
  '%00',
  '\ufffe',
  '\uffff',
  '\u{10ffff}',
  '\u202e',
  '\u0001',
  '\u007f',
  '\r\n',
  "'",
  '"',
  '\\',
  '\\u0000',
  '../',
  '__proto__',
  'constructor',
  '{{x}}',
  '<b>',
  '[[[[',
  '((((',
  '1e999',
  '-0',
  '9'.repeat(40),
  `${'a'.repeat(511)}\u{1f600}`,
  '99999-12-31T00:00:00.000Z',
  '0000-00-00',
  'a@b',
  'https://[::1',
  long,
]

test('no text in any place causes an internal error', async () => {
  // Deletions are sent last because the other requests need the data.
  const inOrder = positions.toSorted((one, other) => Number(isDeletion(one)) - Number(isDeletion(other)))
  for (const position of inOrder) {
    for (const hostile of ['%', '%C0%80', '\u{10ffff}', '\ufffe\u0001', `${'a'.repeat(511)}\u{1f600}`, long])
      assertSound(await send(position, hostile), labelOf(position, hostile))
  }
})

const isDeletion = ({ route }: Position): boolean => route.method === 'DELETE'

test('no combination of texts does', async () => {
  const hostile = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: anyCharacter, maxLength: 8 })), { maxLength: 4 })
    .map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...positions), hostile, async (position, text) => {
      assertSound(await send(position, text), labelOf(position, text))
    }),
    { numRuns: 1_000, endOnFailure: true },
  )
})

test('percent-encodings that are none, or none of UTF-8, are no fault in any path or query', async () => {
  for (const route of declaredRoutes(app)) {
    for (const wrong of ['%', '%zz', '%C0%80', '%ED%A0%80', '%FF', '%E0%A4', long]) {
      const path = route.url.includes(':') ? route.url.replace(/:[a-z_]+/g, wrong) : `${route.url}?${wrong}=${wrong}`
      assertSound(await ask(route.method, path, credentials().headers), `${route.method} ${path.slice(0, 100)}`)
    }
  }
})

const headerNames = [
  'user-agent',
  'accept',
  'accept-language',
  'origin',
  'referer',
  'content-type',
  'if-none-match',
  'if-modified-since',
  'range',
  'purpose',
  'sec-fetch-dest',
  'sec-fetch-site',
  'x-forwarded-for',
  'x-oauth-flow',
  'x-request-id',
]
const secretNames = ['x-session-id', 'x-bridge-secret', 'cookie']
const cookieNames = ['session_id', 'oauth_flow', 'lang', 'known_device', 'form']
/** Header values as Node.js parses them: bytes are decoded as Latin-1, and control characters are rejected. */
const headerTexts = [
  '%00',
  '%',
  '\u00ff\u00fe\u0080',
  ';=,";',
  "';--",
  'x'.repeat(700),
  '\\u0000',
  '__proto__',
  '*/*;q=x',
]

test('no header causes an internal error', async () => {
  for (const route of declaredRoutes(app)) {
    for (const text of headerTexts) {
      const url = route.url.replace(/:[a-z_]+/g, 'word')
      const about = `${route.method} ${route.url}: ${text.slice(0, 20)}`
      const cookie = cookieNames.map((name) => `${name}=${text}`).join('; ')
      const hostile = Object.fromEntries(headerNames.map((name) => [name, text]))
      const secrets = Object.fromEntries(secretNames.map((name) => [name, name === 'cookie' ? cookie : text]))
      assertSound(await ask(route.method, url, { ...hostile, ...secrets }), about)
      const { headers } = credentials()
      assertSound(await ask(route.method, url, { ...hostile, cookie, ...headers }), about)
      if (route.url === '/auth/logout' || url === '/auth/user/me' || url.startsWith('/auth/sessions')) await signIn()
    }
  }
})

test('a control character in a header is no request, whichever header it is', async () => {
  const send = await listen(app)
  for (const name of [...headerNames, ...secretNames]) {
    const answer = await send(`GET /auth/me HTTP/1.1\r\nHost: localhost\r\n${name}: a\0b\r\nConnection: close\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 400 /, name)
    assert.match(answer, /"code":"VALIDATION_ERROR","details":\[\{"field":"request"/, name)
  }
})
