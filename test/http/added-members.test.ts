import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import document from '../../openapi.json' with { type: 'json' }
import { resolve } from '../support/api-document.ts'

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  'x-client-compat'?: true
}

interface Operation {
  operationId: string
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

let text: string
before(async () => {
  text = await readFile(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
})

const operations = Object.values(document.paths).flatMap((item) => Object.values(item as object) as Operation[])

/** All members of a response, at any depth. */
function membersOf(schema: Schema | undefined, found = new Map<string, Schema>(), seen = new Set<Schema>()) {
  const target = schema?.$ref ? (resolve(schema.$ref, document) as Schema) : schema
  if (!target || seen.has(target)) return found
  seen.add(target)
  for (const [name, member] of Object.entries(target.properties ?? {})) {
    const isForClients = found.get(name)?.['x-client-compat'] ?? true
    if (isForClients) found.set(name, member)
    membersOf(member, found, seen)
  }
  for (const part of [target.items, ...(target.anyOf ?? [])]) membersOf(part, found, seen)
  return found
}

const replyOf = ({ responses }: Operation) => membersOf(responses['200']?.content?.['application/json']?.schema)

const section = (heading: string): string => text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
const codesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

describe('docs/api.md', () => {
  test('names members that the responses of the named operations have', () => {
    const rows = section('Added members').match(/^\| `.+$/gm) ?? []
    assert.ok(rows.length > 8)
    for (const row of rows) {
      const [, members, names] = row.split('|')
      for (const name of codesIn(names)) {
        const operation = operations.find(({ operationId }) => operationId === name)
        assert.ok(operation, `no operation is named ${name}`)
        const reply = replyOf(operation)
        for (const member of codesIn(members)) assert.ok(reply.has(member), `${name} has no ${member}`)
      }
    }
  })

  test('names every member that is only for published clients', () => {
    const marked = operations.flatMap((operation) =>
      [...replyOf(operation)].filter(([, schema]) => schema['x-client-compat']).map(([name]) => name),
    )
    assert.ok(marked.length > 0)
    const named = codesIn(section('Older clients').split('\n\n')[0])
    assert.deepEqual(
      [...new Set(marked)].filter((name) => !named.includes(name)),
      [],
    )
  })
})
