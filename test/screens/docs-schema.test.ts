import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textsFor } from '../../src/ui/texts/index.ts'
import { scriptModule } from './script-module.ts'

interface Node {
  type: string
  rules: string[]
  text: string
  members: (Node & { name: string; required: boolean })[]
  variants: Node[]
}

const { describe, exampleOf, requestExample } = await scriptModule<{
  describe(schema: unknown, document: unknown, words: unknown): Node
  exampleOf(schema: unknown, document: unknown): unknown
  requestExample(operation: { method: string; body: unknown }, document: unknown): unknown
}>('schema.js')

const user = {
  type: 'object',
  description: 'A user',
  required: ['id'],
  properties: { id: { type: 'string', format: 'uuid' }, manager: { $ref: '#/components/schemas/User' } },
}
const document = { components: { schemas: { User: user, 'a/b': { type: 'boolean' } } } }
const look = (schema: unknown) => describe(schema, document, textsFor('en').docs.script.rules)

test('references are followed, also through escaped names, and cycles end', () => {
  assert.deepEqual(
    look({ $ref: '#/components/schemas/User' }).members.map(({ name }) => name),
    ['id', 'manager'],
  )
  assert.equal(look({ $ref: '#/components/schemas/a~1b' }).type, 'boolean')
  assert.deepEqual(look({ $ref: '#/components/schemas/User' }).members[1]?.members, [])
  assert.equal(look({ $ref: '#/nowhere' }).type, 'any')
})

test('rules are described in words', () => {
  assert.deepEqual(look({ type: 'string', minLength: 8, maxLength: 256 }).rules, ['8 to 256 characters'])
  assert.deepEqual(look({ type: 'integer', minimum: 0, default: 1 }).rules, ['at least 0', 'default 1'])
  assert.deepEqual(look({ type: 'array', items: { type: 'string' }, maxItems: 3 }).rules, ['at most 3 entries'])
  assert.deepEqual(look({ type: 'string', enum: ['a', 'b'] }).rules, ['one of a, b'])
  assert.deepEqual(look({ const: true }).rules, ['always true'])
  assert.deepEqual(look({ enum: [false] }).rules, ['always false'])
})

test('null, lists and choices are part of the type', () => {
  assert.equal(look({ type: ['string', 'null'] }).type, 'string | null')
  assert.equal(look({ anyOf: [{ type: 'string' }, { type: 'null' }] }).type, 'string | null')
  assert.equal(
    look({ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } }).type,
    '(string | integer)[]',
  )
  assert.deepEqual(look({ anyOf: [{ const: 'a' }, { const: 'b' }] }), {
    type: 'string',
    rules: ['one of a, b'],
    text: '',
    members: [],
    variants: [],
  })
})

test('a nullable object keeps its members and its own description', () => {
  const node = look({ anyOf: [{ $ref: '#/components/schemas/User' }, { type: 'null' }], description: 'The boss' })
  assert.equal(node.type, 'object | null')
  assert.equal(node.text, 'The boss')
  assert.equal(node.members.length, 2)
})

test('different objects become variants, and allOf becomes one object', () => {
  const extra = { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] }
  assert.equal(look({ anyOf: [{ $ref: '#/components/schemas/User' }, extra] }).variants.length, 2)
  const merged = look({ allOf: [{ $ref: '#/components/schemas/User' }, extra] })
  assert.deepEqual(
    merged.members.map(({ name, required }) => [name, required]),
    [
      ['id', true],
      ['manager', false],
      ['code', true],
    ],
  )
})

test('members whose names callers choose are shown by the form of their names', () => {
  const open = {
    properties: { a: {} },
    patternProperties: { '^b_[a-z]+$': { type: 'string' } },
    additionalProperties: {},
  }
  assert.deepEqual(
    look(open).members.map(({ name, type }) => [name, type]),
    [
      ['a', 'any'],
      ['b_[a-z]+', 'string'],
    ],
  )
})

test('an example holds what is required, and everything when nothing is', () => {
  const login = {
    type: 'object',
    required: ['login'],
    properties: { login: { type: 'string' }, tmz: { type: 'string' } },
  }
  assert.deepEqual(exampleOf(login, document), { login: 'ada@example.com' })
  assert.deepEqual(exampleOf({ ...login, required: [] }, document), { login: 'ada@example.com', tmz: 'string' })
  assert.deepEqual(exampleOf({ type: 'array', items: { type: 'boolean' } }, document), [true])
  assert.equal(exampleOf({ type: 'string', default: 'x' }, document), 'x')
  assert.equal(exampleOf({ properties: { me: { $ref: '#/components/schemas/User' } } }, document) !== undefined, true)
})

test('a form begins with what is required; an example of its own is only for what creates something', () => {
  const schema = {
    type: 'object',
    required: ['lang'],
    properties: { lang: { type: 'string', examples: ['es'] }, title: { type: 'string' } },
    examples: [{ lang: 'fr', title: 'Notes' }],
  }
  const begins = (method: string, more: object = {}) =>
    requestExample({ method, body: { schema: { ...schema, ...more } } }, document)
  assert.deepEqual(begins('post'), { lang: 'fr', title: 'Notes' })
  assert.deepEqual(begins('post', { examples: undefined }), { lang: 'es' })
  for (const method of ['put', 'patch', 'delete']) {
    assert.deepEqual(begins(method), { lang: 'es' }, method)
    assert.deepEqual(begins(method, { required: [] }), {}, method)
    assert.deepEqual(requestExample({ method, body: { schema: {} } }, document), {}, method)
  }
})
