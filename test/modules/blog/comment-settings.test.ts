import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialStatus } from '../../../src/modules/blog/comments/rules.ts'
import { assertError } from '../../http/support.ts'
import { somebody, startBlog } from './support.ts'

test('a new comment is judged by the setting, its author and their first one', () => {
  const table = (COMMENTS_REQUIRE_APPROVAL: 'always' | 'first' | 'never') =>
    [
      { isTrusted: false, hasApproved: false },
      { isTrusted: false, hasApproved: true },
      { isTrusted: true, hasApproved: false },
    ].map((judged) => initialStatus({ COMMENTS_REQUIRE_APPROVAL }, judged))
  assert.deepEqual(table('always'), ['pending', 'pending', 'approved'])
  assert.deepEqual(table('first'), ['pending', 'approved', 'approved'])
  assert.deepEqual(table('never'), ['approved', 'approved', 'approved'])
})

test('with comments switched off none is taken; one of an account is one of all its addresses', async () => {
  const app = await startBlog({ COMMENTS_ENABLED: 'false', RATE_LIMIT_COMMENT: '2/10m', RATE_LIMIT_INTERACT: '2/10m' })
  try {
    const writer = await somebody(app)
    const post = await writer.write({ status: 'published' })
    const send = () => writer.call('POST', `/${post}/comments`, { comment_body: 'x' })
    for (let count = 0; count < 2; count++) assertError(await send(), 403, 'COMMENTS_DISABLED')
    assertError(await send(), 429, 'RATE_LIMITED')
    const like = () => writer.call('POST', `/${post}/reactions`, { type: 'like' })
    for (let count = 0; count < 2; count++) assert.equal((await like()).status, 200)
    assertError(await like(), 429, 'RATE_LIMITED')
  } finally {
    await app.stop()
  }
})
