import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptModule } from './script-module.ts'

interface Operation {
  id: string
  method: string
  path: string
  summary: string
  tag?: string
  credentials: string[]
  parameters: { name: string; in: string }[]
  body?: { type: string; required: boolean }
  replies: { status: string; description: string }[]
}

interface Values {
  path?: Record<string, string>
  query?: Record<string, string>
  header?: Record<string, string>
  form?: Record<string, unknown>
  body?: string
}

interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

const { operationsOf, groupsOf, matches } = await scriptModule<{
  operationsOf(document: unknown): Operation[]
  groupsOf(document: unknown, operations: Operation[], other: string): { name: string; operations: Operation[] }[]
  matches(operation: Operation, query: string): boolean
}>('operations.js')

const { requestFor, curlFor } = await scriptModule<{
  requestFor(operation: Operation, values: Values): Request
  curlFor(request: Request, credentials: string[], publicUrl: string): string
}>('request.js')

const person = { type: 'object', properties: { user_type: { type: 'string' } } }
const json = { 'application/json': { schema: { type: 'object', properties: { person } } } }
const document = {
  tags: [{ name: 'Sessions' }, { name: 'Nobody uses this' }],
  paths: {
    '/users/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: {
        tags: ['Users'],
        summary: 'One user',
        security: [{ session: [] }],
        responses: { 200: { description: 'OK' } },
      },
      delete: { tags: ['Users'], operationId: 'deleteUser', 'x-roles': ['admin'], security: [{ session: [] }] },
    },
    '/login': { post: { tags: ['Sessions'], requestBody: { required: true, content: json } } },
    '/health': { get: {}, head: {} },
  },
  components: { parameters: { Id: { name: 'id', in: 'path', required: true } } },
}
const operations = operationsOf(document)
const [read, remove, login] = operations as [Operation, Operation, Operation, Operation]
const base = 'https://id.example.com'

test('every operation is listed with an id that fits an address', () => {
  assert.deepEqual(
    operations.map(({ id }) => id),
    ['get-users-id', 'delete-users-id', 'post-login', 'get-health'],
  )
  assert.deepEqual(read.parameters, [{ name: 'id', in: 'path', required: true }])
  assert.deepEqual(
    read.replies.map(({ status, description }) => [status, description]),
    [['200', 'OK']],
  )
  assert.equal(login.body?.type, 'application/json')
})

test('groups follow the order of the tags; empty ones are left out, untagged operations get their own', () => {
  assert.deepEqual(
    groupsOf(document, operations, 'Other').map(({ name }) => name),
    ['Sessions', 'Users', 'Other'],
  )
})

test('the filter looks for every word in what the page shows, also in members, parameters and roles', () => {
  assert.ok(matches(read, 'GET users'))
  assert.ok(matches(read, 'one user'))
  assert.ok(matches(login, 'sessions'))
  assert.ok(matches(login, ''))
  assert.ok(!matches(read, 'users delete'))
  assert.ok(matches(login, 'user_type'), 'a member of a member')
  assert.ok(matches(read, 'ID'))
  assert.ok(matches(remove, 'Admin'))
  assert.ok(!matches(read, 'admin'))
})

test('values are put into path and query in their encoded form, empty ones are left out', () => {
  const request = requestFor(read, {
    path: { id: 'a/b c' },
    query: { q: 'x&y=1', page: '' },
    header: { 'X-A': '' },
  })
  assert.equal(request.path, '/users/a%2Fb%20c?q=x%26y%3D1')
  assert.deepEqual(request.headers, {})
  assert.equal(requestFor(read, {}).path, '/users/{id}')
})

test('the command names credentials as variables and quotes what a shell would read', () => {
  assert.deepEqual(read.credentials, ['session'])
  assert.equal(
    curlFor(requestFor(remove, { path: { id: "a'b" } }), remove.credentials, base),
    `curl -X DELETE 'https://id.example.com/users/a'\\''b' \\\n  -H "X-Session-ID: $SESSION_ID"`,
  )
  assert.equal(
    curlFor(requestFor(login, { body: `{"login":"o'neil $(id)"}` }), login.credentials, base),
    [
      'curl https://id.example.com/login',
      `  -H 'Content-Type: application/json'`,
      `  -d '{"login":"o'\\''neil $(id)"}'`,
    ].join(' \\\n'),
  )
})

test('a file is named in the command, not sent through it', () => {
  const command = curlFor(
    requestFor(login, { form: { picture: { name: 'me.jpg' }, note: 'hi' } }),
    login.credentials,
    base,
  )
  assert.equal(command, 'curl https://id.example.com/login \\\n  -F picture=@me.jpg \\\n  -F note=hi')
})
