import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { firstAdminFact } from '../../src/admin/setup-link.ts'
import { stateFact } from '../../src/db/installation-facts.ts'
import { type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://id.example.com',
  SMTP_URL: 'smtps://mail.example.com',
  DATA_KEYS: `1:${randomBytes(32).toString('base64url')}`,
  BRIDGE_SECRET: randomBytes(32).toString('base64url'),
}
const cookieOf = ({ sessionToken }: SignedIn) => `session_id=${sessionToken}`

async function started(env: Record<string, string>, work: (app: TestApp) => Promise<void>): Promise<void> {
  const app = await startTestApp({ env })
  try {
    await work(app)
  } finally {
    await app.stop()
  }
}

const locationOf = async (app: TestApp, cookie = ''): Promise<unknown> => {
  const { status, headers } = await app.get('/', { headers: { accept: 'text/html', ...(cookie && { cookie }) } })
  assert.equal(status, 303)
  return headers.location
}

describe('the start page in production', () => {
  test('explains the set-up until there is an administrator, and then leads to the sign-in or the account', () =>
    started(production, async (app) => {
      assert.match((await app.get('/')).text, /first administrator/)
      const admin = await signedInAs(app, 'superadmin')
      await stateFact(app.ctx.db, firstAdminFact, app.ctx.clock.date())
      assert.equal(await locationOf(app), '/login')
      assert.equal(await locationOf(app, cookieOf(admin)), '/account')
    }))

  test('leads to the front end if there is one', () =>
    started({ ...production, FRONTEND_URL: 'https://app.example.com' }, async (app) => {
      await stateFact(app.ctx.db, firstAdminFact, app.ctx.clock.date())
      assert.equal(await locationOf(app), 'https://app.example.com')
    }))
})

test('the start page leads to the console once there is an administrator', () =>
  started({}, async (app) => {
    assert.doesNotMatch((await app.get('/')).text, /href="\/admin"/)
    await signedInAs(app, 'superadmin')
    await stateFact(app.ctx.db, firstAdminFact, app.ctx.clock.date())
    assert.match((await app.get('/')).text, /href="\/admin"/)
  }))

describe('DOCS_PAGE', () => {
  const page = { headers: { accept: 'text/html' } }

  test('off: there is neither the API page nor the description, and nothing links to them', () =>
    started({ DOCS_PAGE: 'off' }, async (app) => {
      for (const path of ['/docs', '/openapi.json']) assert.equal((await app.get(path)).status, 404)
      assert.doesNotMatch((await app.get('/')).text, /href="\/(docs|openapi\.json)"/)
    }))

  test('admins: administrators read them, others do not', () =>
    started({ DOCS_PAGE: 'admins' }, async (app) => {
      const visit = await app.get('/docs', page)
      assert.deepEqual([visit.status, visit.headers.location?.toString().replace(/\?.*/, '')], [303, '/login'])
      assert.equal((await app.get('/openapi.json')).status, 401)
      for (const [role, status] of Object.entries({ customer: 403, support: 403, admin: 200, superadmin: 200 })) {
        const { sessionToken } = await signedInAs(app, role)
        const cookie = `session_id=${sessionToken}`
        assert.equal((await app.get('/docs', { headers: { ...page.headers, cookie } })).status, status, role)
        assert.equal((await app.get('/openapi.json', withSession(sessionToken))).status, status, role)
      }
    }))
})
