import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cleanUp } from '../../src/jobs/clean-up.ts'
import { day } from '../../src/lib/time.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { drawn, keptFiles, pathOf, upload } from './support.ts'

let app: TestApp
let admin: SignedIn
before(async () => {
  app = await startTestApp({ env: { DELETED_RETENTION: '30d', SESSION_IDLE_TTL: '90d', SESSION_ABSOLUTE_TTL: '365d' } })
  admin = await signedInAs(app, 'admin')
})
after(() => app.stop())

const uploaded = async (sessionToken: string): Promise<string[]> => {
  const { data } = (await upload(app, sessionToken, await drawn(200, 200).png().toBuffer())).json
  return [data.picture_url, data.thumbnail_url].map((address) => pathOf(app, address))
}
const remove = (id: string) => app.call('DELETE', `/auth/admin/users/${id}`, withSession(admin.sessionToken))

test('the picture of a deleted user is gone at once, and comes back with the user', async () => {
  const ada = await registered(app)
  const paths = await uploaded(ada.sessionToken)
  assert.equal((await remove(ada.id)).status, 200)
  for (const path of paths) {
    const { status, headers, json } = await app.get(path)
    assert.deepEqual([status, json.code, headers['cache-control']], [404, 'NOT_FOUND', 'no-store'])
  }
  assert.equal(keptFiles(app).length, 2)
  assert.equal((await app.post(`/auth/admin/users/${ada.id}/restore`, {}, withSession(admin.sessionToken))).status, 200)
  for (const path of paths) assert.equal((await app.get(path)).status, 200)
})

test('the picture of a user who deletes their own account is gone, and its files go when the user is erased', async () => {
  const grace = await registered(app)
  const paths = await uploaded(grace.sessionToken)
  const body = { password: grace.password }
  const { status } = await app.call('DELETE', '/auth/user/me', { ...withSession(grace.sessionToken), body })
  assert.equal(status, 200)
  for (const path of paths) assert.equal((await app.get(path)).status, 404)
  const before = keptFiles(app).length
  app.clock.advance(31 * day)
  await cleanUp(app.ctx)
  assert.equal(keptFiles(app).length, before - 2)
})

test('a picture that was replaced is not served, even while its file cannot be removed', async () => {
  const lin = await registered(app)
  const paths = await uploaded(lin.sessionToken)
  const { files } = app.ctx
  app.ctx.files = { ...files, remove: () => Promise.reject(new Error('the store does not answer')) }
  const next = await uploaded(lin.sessionToken)
  app.ctx.files = files
  for (const path of paths) assert.equal((await app.get(path)).status, 404)
  for (const path of next) assert.equal((await app.get(path)).status, 200)
})
