import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestIds } from '../../src/http/server/request-ids.ts'

test('request ids are 96 random bits each: none comes twice, and none can be told from another one', () => {
  const newId = requestIds()
  const ids = Array.from({ length: 5_000 }, newId)
  for (const id of ids) assert.match(id, /^[\w-]{16}$/)
  assert.equal(new Set(ids).size, ids.length)
  // Each character occurs 78 times on average at each position.
  for (let place = 0; place < 16; place++) {
    const counts = Map.groupBy(ids, (id) => id[place])
    assert.equal(counts.size, 64)
    for (const [character, found] of counts) assert.ok(found.length < 160, `${character} at ${place}`)
  }
})
