import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedInAs, withSession } from '../support/people.ts'
import { startTestApp } from '../support/test-app.ts'

test('a module is switched on and off without a restart', async (t) => {
  const app = await startTestApp({ modules: ['blog'], env: { BLOG_ENABLED: '' } })
  t.after(() => app.stop())
  const superadmin = withSession((await signedInAs(app, 'superadmin')).sessionToken)
  const set = (value: string | null) =>
    app.call('PUT', '/auth/admin/settings', { body: { changes: [{ name: 'BLOG_ENABLED', value }] }, ...superadmin })
  const posts = async () => (await app.get('/api/v1/posts')).status
  const listed = async () => {
    const { json } = await app.get('/api/v1/modules/install/blog/status', superadmin)
    return json.data.enabled
  }
  assert.deepEqual([await posts(), await listed()], [503, false])
  assert.equal((await set('true')).status, 200)
  assert.deepEqual([await posts(), await listed()], [200, true])
  assert.equal((await set(null)).status, 200)
  assert.deepEqual([await posts(), await listed()], [503, false])
})
