import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { errorCodes } from '../../src/lib/errors.ts'
import { apiDocument } from '../support/api-document.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: object[]
  requestBody?: { content: Content }
  responses: Record<
    string,
    { $ref?: string; description?: string; headers?: Record<string, object>; content?: Content }
  >
}

type Content = Record<string, { schema: TSchema; example?: unknown }>

interface Document {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, { enum?: string[]; properties?: Record<string, object> }>
    responses: Record<string, { description: string; headers: Record<string, object> }>
  }
}

let app: TestApp
let document: Document
before(async () => {
  app = await startTestApp({ modules: ['onboarding', 'privacy', 'two-factor'] })
  document = (await app.get('/openapi.json')).json
})
after(() => app?.stop())

const operations = (): [string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]): [string, Operation] => [`${method.toUpperCase()} ${path}`, one]),
  )

/** The verbs that operation ids begin with. */
const verbs =
  `activate add block bookmark cancel change check complete confirm count create deactivate delete disable download enable end
  export get install introspect invalidate issue link list merge moderate move open plan preview publish reauthenticate redeem refresh regenerate register
  remove reorder replay report request resend reset restore retry revoke rotate save schedule search send set sign skip start stream test toggle unblock unlink unlock unpublish
  update upload validate verify`.split(/\s+/)

test('every operation has a name of its own that begins with a verb', () => {
  const names = operations().map(([, { operationId }]) => operationId)
  assert.ok(names.length > 100)
  assert.deepEqual(
    names.filter((name, place) => names.indexOf(name) !== place),
    [],
  )
  for (const name of names) {
    assert.match(name, /^[a-z]+(OAuth|[A-Z][a-z]+)*$/, name)
    const verb = /^[a-z]+/.exec(name)?.[0] ?? ''
    assert.ok(verbs.includes(verb), `${name} does not begin with a verb of the list`)
  }
})

test('every operation has a summary, a description that says more, and a tag', () => {
  const words = (text = ''): string[] => text.toLowerCase().match(/[a-z0-9_]+/g) ?? []
  for (const [name, { summary, description, tags }] of operations()) {
    assert.ok(summary && tags.length === 1, name)
    assert.match(description ?? '', /^[A-Z`].+[.]$/s, name)
    assert.ok(!words(description).every((word) => words(summary).includes(word)), `${name} repeats its summary`)
  }
})

/** The operations that most clients call. Their responses have an example. */
const mostUsed =
  `signIn register validateSession getCurrentUser getUserForBridge refreshSession signOut validateSessionForBridge verifyEmail
  searchUsers getUser createUser listWebhooks createWebhook`.split(/\s+/)

test('every JSON body and the replies of the most used operations have an example that their schema accepts', async () => {
  const resolved: Document = await apiDocument(app)
  const shown = new Set<string>()
  for (const item of Object.values(resolved.paths)) {
    for (const { operationId, requestBody, responses } of Object.values(item)) {
      const body = requestBody?.content['application/json']
      const reply = responses['200']?.content?.['application/json']
      if (body) assertExample(body, `the body of ${operationId}`)
      if (reply?.example === undefined && !mostUsed.includes(operationId)) continue
      shown.add(operationId)
      assertExample(reply, `the reply of ${operationId}`)
    }
  }
  assert.deepEqual(
    mostUsed.filter((one) => !shown.has(one)),
    [],
  )
})

function assertExample(content: Content[string] | undefined, name: string): void {
  assert.notEqual(content?.example, undefined, `${name} has no example`)
  const schema = Compile(content!.schema)
  assert.ok(schema.Check(content?.example), `${name}: ${JSON.stringify(schema.Errors(content?.example))}`)
  const { properties = {} } = content!.schema as { properties?: object }
  const unknown = Object.keys(content?.example as object).filter((member) => !(member in properties))
  if (Object.keys(properties).length > 0)
    assert.deepEqual(unknown, [], `${name} has members that are not in the schema`)
}

test('no two paths differ only in the name of a parameter', () => {
  const forms = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'))
  assert.equal(new Set(forms).size, forms.length)
})

test('a shape is described once, under a name', () => {
  const seen = new Map<string, string>()
  const look = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return
    const { type, properties = {} } = value as { type?: string; properties?: object }
    const { description: _text, ...shape } = value as { description?: string }
    if (!Array.isArray(value) && type === 'object' && Object.keys(properties).length > 0) {
      const key = JSON.stringify(shape)
      assert.equal(seen.get(key), undefined, `${place} is ${seen.get(key)} again`)
      seen.set(key, place)
    }
    for (const [name, member] of Object.entries(value)) look(member, `${place}/${name}`)
  }
  look(document.paths, '#/paths')
  look(document.components.schemas, '#/components/schemas')
  assert.ok(Object.keys(document.components.schemas.User?.properties ?? {}).includes('gdpr_consent'))
  assert.deepEqual(document.components.schemas.ErrorCode?.enum, errorCodes)
})

test('every reply is described, with the headers it carries', () => {
  for (const [name, { responses }] of operations()) {
    for (const [status, given] of Object.entries(responses)) {
      const reply = given.$ref ? document.components.responses[given.$ref.replace(/.*\//, '')] : given
      assert.ok(reply?.description && reply.description !== 'Default Response', `${name} ${status}`)
      assert.ok(reply.headers?.['X-RateLimit-Remaining'] && reply.headers['X-Request-Id'], `${name} ${status}`)
      assert.equal('Retry-After' in reply.headers, status === '429' || status === '503', `${name} ${status}`)
      assert.equal('Location' in reply.headers, /^30[23]$/.test(status), `${name} ${status}`)
    }
  }
})

test('the document follows the recommended rules of Redocly', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  const known = ['no-server-example.com', 'no-ambiguous-paths']
  const found = problems
    .filter(({ severity, ruleId }) => severity === 'error' || !known.includes(ruleId))
    .map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
  assert.deepEqual(found, [])
})
