import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import document from '../../openapi.json' with { type: 'json' }
import { resolve } from '../support/api-document.ts'

// Clients that know one list of this API know all of them. The members of replies under `/api/v1` and those of the
// exceptions are given by the API that this service implements.

interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  maximum?: number
}

interface Parameter {
  in: string
  name: string
  deprecated?: boolean
  schema: Schema
}

interface Operation {
  parameters?: Parameter[]
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item as unknown as Record<string, Operation>).map(([method, operation]) => {
    const parameters = (operation.parameters ?? []).filter(({ deprecated }) => !deprecated)
    return {
      name: `${method.toUpperCase()} ${path}`,
      path,
      query: parameters.filter((one) => one.in === 'query'),
      ids: parameters.filter((one) => one.in === 'path').map((one) => one.name),
      reply: membersOf(operation.responses['200']?.content?.['application/json']?.schema),
    }
  }),
)
const core = operations.filter(({ path }) => path.startsWith('/auth'))

function membersOf(schema: Schema | undefined): Record<string, Schema> {
  if (!schema) return {}
  const { properties = {} } = schema.$ref ? (resolve(schema.$ref, document) as Schema) : schema
  return properties
}

const isList = ({ type }: Schema): boolean => type === 'array'

function assertNone(of: typeof operations, isWrong: (operation: (typeof operations)[number]) => boolean): void {
  const wrong = of.filter(isWrong).map(({ name }) => name)
  assert.deepEqual(wrong, [])
}

test('the document has operations of every kind', () => {
  assert.ok(core.length > 100)
  assert.ok(core.some(({ query }) => query.some(({ name }) => name === 'sort')))
  assert.ok(core.some(({ query }) => query.some(({ name }) => name === 'after')))
})

describe('names', () => {
  test('query parameters are in snake_case', () => {
    assertNone(operations, ({ query }) => query.some(({ name }) => !/^[a-z]+(_[a-z]+)*$/.test(name)))
  })

  test('a path parameter says what it identifies', () => {
    assertNone(core, ({ ids }) => ids.some((name) => name === 'id' || !/^[a-z]+((_[a-z]+)?_id)?$/.test(name)))
    assertNone(operations, ({ ids }) => ids.includes('language'))
  })

  test('a range is <field>_from and <field>_to', () => {
    assertNone(core, ({ query }) => {
      const names = query.map(({ name }) => name).filter((name) => name !== 'return_to')
      const other = (name: string) => name.replace(/_(from|to)$/, (_, end) => (end === 'from' ? '_to' : '_from'))
      return names.some((name) => /^(from|to|since|until|before)$/.test(name) || !names.includes(other(name)))
    })
  })

  test('`sort` orders a list', () => {
    assertNone(core, ({ query }) => query.some(({ name }) => /^order(_|$)/.test(name)))
  })
})

describe('lists', () => {
  test('a list in pages has its entries in one member of `data`, beside `pagination`', () => {
    const pages = core.filter(({ query }) => query.some(({ name }) => name === 'page'))
    assert.ok(pages.length >= 7)
    for (const { name, reply } of pages) {
      const { pagination, ...lists } = membersOf(reply.data)
      assert.deepEqual(Object.values(lists).map(isList), [true], name)
      // Counting has a limit in the search for users only.
      const members = Object.keys(membersOf(pagination)).filter((member) => member !== 'total_is_exact')
      assert.deepEqual(members, ['page', 'limit', 'total', 'pages', 'has_more'], name)
    }
  })

  test('a list that is read from a cursor has its entries in `data`, beside `next`', () => {
    for (const { name, reply } of core.filter(({ query }) => query.some((one) => one.name === 'after'))) {
      const { next, has_more: _more, ...lists } = membersOf(reply.data)
      assert.ok(next, name)
      assert.deepEqual(Object.values(lists).map(isList), [true], name)
    }
  })

  test('`data` of an operation of the core is an object', () => {
    assertNone(core, ({ reply }) => reply.data !== undefined && isList(reply.data))
  })

  test('a `limit` above the maximum is lowered, not refused', () => {
    assertNone(operations, ({ query }) => query.some(({ name, schema }) => name === 'limit' && schema.maximum))
  })
})

/** Downloads are files, which contain the data only. */
const files = ['GET /auth/privacy/exports/download', 'POST /auth/privacy/exports/download']

test('every JSON reply of the core says whether it succeeded', () => {
  assertNone(core, ({ name, reply }) => Object.keys(reply).length > 0 && !reply.success && !files.includes(name))
})
