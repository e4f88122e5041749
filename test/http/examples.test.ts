import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TSchema } from 'typebox'
import { scriptModule } from '../screens/script-module.ts'
import { apiDocument } from '../support/api-document.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { everyCredential } from './support.ts'

const { exampleOf, requestExample } = await scriptModule<{
  exampleOf(schema: unknown, document: unknown): unknown
  requestExample(operation: { method: string; body: unknown }, document: unknown): object
}>('schema.js')

interface Operation {
  responses?: Record<string, { content?: Record<string, { schema: TSchema }> }>
  requestBody?: { content: Record<string, { schema: TSchema; example?: unknown }> }
}

let app: TestApp
before(async () => {
  app = await startTestApp({
    modules: ['two-factor', 'api-keys', 'privacy', 'onboarding', 'blog', 'post-types'],
    env: {
      RATE_LIMIT_BULK: '1000/1h',
      RATE_LIMIT_EXPORT: '1000/1h',
      RATE_LIMIT_ADMIN: '1000/1m',
      // The example of an address to adopt, and those in other examples.
      ALLOWED_REDIRECTS: 'https://shop.example.com,https://shop.example',
      // The end of the key in an example.
      API_KEY_MAX_TTL: '3650d',
      BLOG_ENABLED: 'true',
      POST_TYPES_ENABLED: 'true',
    },
  })
})
after(() => app.stop())

test('the API page shows an example of what every route answers', async () => {
  const document = await apiDocument(app)
  for (const [path, item] of Object.entries<Record<string, Operation>>(document.paths)) {
    for (const [method, { responses }] of Object.entries(item)) {
      const schema = responses?.['200']?.content?.['application/json']?.schema
      if (schema) assert.equal(typeof exampleOf(schema, document), 'object', `${method} ${path}`)
    }
  }
})

test('the body that the API page offers for a first try is understood by every route', async () => {
  const document = await apiDocument(app)
  for (const [path, item] of Object.entries<Record<string, Operation>>(document.paths)) {
    for (const [method, { requestBody }] of Object.entries(item)) {
      const content = requestBody?.content['application/json']
      if (!content) continue
      const body = requestExample({ method, body: content }, document)
      if (method !== 'post') {
        const { required = [] } = content.schema as { required?: string[] }
        assert.deepEqual(Object.keys(body).toSorted(), [...required].toSorted(), `${method} ${path}`)
      }
      // An example without required members is not a complete request, because one of the optional members must be
      // sent.
      if (Object.keys(body).length === 0) continue
      const { json, text } = await app.call(method.toUpperCase(), path, { body, headers: await everyCredential(app) })
      // The owner in the example does not exist.
      if (path === '/auth/admin/service-accounts' && text.includes('must contain ids of users')) continue
      assert.notEqual(json.code, 'VALIDATION_ERROR', `${method} ${path} with ${JSON.stringify(body)}: ${text}`)
    }
  }
})
