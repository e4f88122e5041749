import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fastJson, { type Schema } from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

interface RouteSchema {
  body?: TSchema
  querystring?: TSchema
  params?: TSchema
  response?: Record<string, TSchema>
}

const root = join(import.meta.dirname, '../../src')

// The service compiles a schema on the first request that needs it. This test finds invalid schemas earlier.
test('every schema of every route can be compiled', async () => {
  let routes = 0
  for (const file of globSync('**/*schemas.ts', { cwd: root })) {
    const all: Record<string, RouteSchema> = await import(join(root, file))
    for (const [name, schema] of Object.entries(all).filter(([name]) => name.endsWith('Route'))) {
      routes++
      for (const part of [schema.body, schema.querystring, schema.params]) if (part) Compile(part)
      for (const [status, reply] of Object.entries(schema.response ?? {})) {
        assert.doesNotThrow(() => fastJson(reply as unknown as Schema), `${file} ${name} ${status}`)
      }
    }
  }
  assert.ok(routes > 30, `only ${routes} routes were found`)
})
