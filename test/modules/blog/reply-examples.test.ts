import assert from 'node:assert/strict'
import { test } from 'node:test'
import document from '../../../openapi.json' with { type: 'json' }

interface Operation {
  operationId: string
  responses: { 200: { content: { 'application/json': { example?: object } } } }
}

// test/http/openapi-quality.test.ts compares all examples with their schemas.
test('the replies with posts have an example', () => {
  const items = Object.values(document.paths) as unknown as Record<string, Operation>[]
  const operations = items.flatMap((item) => Object.values(item))
  for (const name of ['listPosts', 'getPost', 'createPost']) {
    const operation = operations.find(({ operationId }) => operationId === name)
    assert.ok(operation?.responses[200].content['application/json'].example, name)
  }
})
