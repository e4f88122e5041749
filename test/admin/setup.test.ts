import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createAdmin } from '../../src/admin/first-admin.ts'
import { createSetupLink } from '../../src/admin/setup-link.ts'
import { minute } from '../../src/lib/time.ts'
import { person } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const apps: TestApp[] = []
after(() => Promise.all(apps.map((app) => app.stop())))

async function start(env: Record<string, string> = {}): Promise<TestApp> {
  const app = await startTestApp({ env })
  apps.push(app)
  return app
}

const tokenOf = (link: string | undefined): string => new URL(link ?? 'none:').searchParams.get('token') ?? ''
const superadmins = async (app: TestApp) =>
  (await sql<{ email: string }>`SELECT email FROM users WHERE user_type = 'superadmin'`.execute(app.ctx.db)).rows.map(
    ({ email }) => email,
  )

test('the printed link makes one superadmin, once, and signs them in', async () => {
  const app = await start()
  assert.deepEqual(await superadmins(app), [])
  const token = tokenOf(await createSetupLink(app.ctx))
  const page = await app.get(`/auth/setup?token=${token}`)
  assert.deepEqual([page.status, page.headers.location], [303, '/setup'])
  const ada = person()
  const weak = await app.post('/auth/setup', { token, email: ada.email, password: 'password' })
  assert.equal(weak.json.code, 'WEAK_PASSWORD')
  const made = await app.post('/auth/setup', { token, email: ada.email, password: ada.password, name: 'Ada' })
  assert.equal(made.status, 200)
  assert.equal(made.json.user.user_type, 'superadmin')
  assert.equal(made.json.user.is_verified, true)
  assert.ok(made.cookies.session_id)
  const again = await app.post('/auth/setup', { token, ...person() })
  assert.equal(again.status, 404)
  assert.equal((await app.get(`/auth/setup?token=${token}`)).status, 404)
  assert.equal(await createSetupLink(app.ctx), undefined)
  assert.equal((await auditOf(app, 'first_admin_created')).length, 1)
})

test('the command line makes further superadmins, and only the first of all is called that', async () => {
  const app = await start()
  for (const email of ['ada@example.com', 'grace@example.com']) {
    await createAdmin(app.ctx, { email, password: 'a well kept ring of keys' })
  }
  assert.deepEqual(await superadmins(app), ['ada@example.com', 'grace@example.com'])
  assert.equal((await auditOf(app, 'first_admin_created')).length, 1)
  assert.equal((await auditOf(app, 'admin_user_created')).length, 1)
})

test('removing the first superadmin does not reopen the set-up', async () => {
  const app = await start({ ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: 'a well kept ring of keys' })
  assert.deepEqual(await superadmins(app), ['root@example.com'])
  await sql`DELETE FROM users`.execute(app.ctx.db)
  assert.equal(await createSetupLink(app.ctx), undefined)
})

test('once a superadmin has existed, the database is not queried for it again', async () => {
  const app = await start()
  assert.match((await app.get('/')).text, /first administrator/)
  await createAdmin(app.ctx, { email: 'ada@example.com', password: 'a well kept ring of keys' })
  assert.doesNotMatch((await app.get('/')).text, /first administrator/)
  await sql`DROP TABLE installation_facts`.execute(app.ctx.db)
  assert.doesNotMatch((await app.get('/')).text, /first administrator/)
})

test('a link is refused after its expiry, and after a newer one was printed', async () => {
  const app = await start()
  const old = tokenOf(await createSetupLink(app.ctx))
  const current = tokenOf(await createSetupLink(app.ctx))
  const somebody = person()
  assert.equal((await app.post('/auth/setup', { ...somebody, token: old })).json.code, 'INVALID_TOKEN')
  assert.equal((await app.post('/auth/setup', { ...somebody, token: 'A'.repeat(43) })).json.code, 'INVALID_TOKEN')
  app.clock.advance(30 * minute)
  assert.equal((await app.post('/auth/setup', { ...somebody, token: current })).json.code, 'INVALID_TOKEN')
  assert.deepEqual(await superadmins(app), [])
})

test('if many use the link at once, one becomes superadmin', async () => {
  const app = await start()
  const token = tokenOf(await createSetupLink(app.ctx))
  const replies = await Promise.all(Array.from({ length: 8 }, () => app.post('/auth/setup', { ...person(), token })))
  assert.equal(replies.filter(({ status }) => status === 200).length, 1)
  assert.ok(replies.every(({ status }) => status === 200 || status === 400 || status === 404))
  assert.equal((await superadmins(app)).length, 1)
})
