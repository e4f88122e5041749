import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '../../src/lib/time.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { call, type Nodes, needsBoth, redisUrl, registerAt, startNodes } from './nodes.ts'

const types = '/api/v1/post-types'

describe('two nodes and Redis', needsBoth, () => {
  let nodes: Nodes
  let headers: Record<string, string>
  before(async () => {
    nodes = await startNodes(2, {
      REDIS_URL: redisUrl,
      MODULES_AUTO_INSTALL: 'blog:all,post-types:all',
      BLOG_ENABLED: 'true',
      POST_TYPES_ENABLED: 'true',
    })
    const { id, sessionToken } = await registerAt(nodes.urls[0]!)
    await nodes.database.query(`UPDATE users SET user_type = 'admin' WHERE id = $1`, [id])
    headers = { 'x-session-id': sessionToken }
  })
  after(() => nodes?.stop())

  const read = async (node: number) => (await call(nodes.urls[node]! + types)).json
  const nameAt = async (node: number) => (await read(node)).data[0].type_name

  test('what one has read is a copy to the other, and a change is seen by both', async () => {
    assert.equal((await read(0)).meta.cached, false)
    await fixedWait(500, 'the copy is stored after the response, and looking for it would store one')
    assert.equal((await read(1)).meta.cached, true)
    for (const [index, name] of ['Article', 'Story', 'Entry'].entries()) {
      const url = `${nodes.urls[index % 2]}${types}/post`
      assert.equal((await call(url, { method: 'PUT', body: { type_name: name }, headers })).status, 200)
      assert.equal(await nameAt(index % 2), name)
      const started = performance.now()
      while ((await nameAt((index + 1) % 2)) !== name) {
        assert.ok(performance.now() - started < second, 'the other node')
        await sleep(10)
      }
    }
  })
})
