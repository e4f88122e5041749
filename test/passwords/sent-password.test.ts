import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertError } from '../http/support.ts'
import { apiDocument } from '../support/api-document.ts'
import { registered, type SignedIn, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    modules: ['two-factor', 'privacy'],
    env: { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret', RATE_LIMIT_EXPORT: '100/1h' },
  })
})
after(() => app.stop())

/** For each route that accepts the current password, a request body that succeeds for a recently signed-in user. */
const bodies: Record<string, { path?: string; body: Record<string, unknown> }> = {
  'PUT /auth/profile': { body: { name: 'Countess' } },
  'PUT /auth/user/me': { body: { phone: '+447700900987' } },
  'DELETE /auth/user/me': { body: {} },
  'DELETE /auth/sessions': { body: {} },
  'POST /auth/password-change/self': { body: { new_password: 'moths around a quiet lamp' } },
  'POST /auth/email-change/request': { body: { new_email: 'countess@example.org' } },
  'POST /auth/social/:provider/link': { path: '/auth/social/github/link', body: {} },
  'DELETE /auth/social/accounts/:provider': { path: '/auth/social/accounts/github', body: {} },
  'POST /auth/passkeys/options': { body: {} },
  'DELETE /auth/passkeys/:passkey_id': { path: '/auth/passkeys/01900000-0000-7000-8000-000000000000', body: {} },
  'POST /auth/recovery-codes': { body: {} },
  'POST /auth/two_factor/:method/setup': { path: '/auth/two_factor/totp/setup', body: {} },
  'POST /auth/two_factor/toggle': { body: { enabled: false } },
  'POST /auth/two_factor/recovery/regenerate': { body: {} },
  'POST /auth/user/me/privacy/exports': { body: {} },
  'POST /auth/user/me/privacy/delete-request': { body: {} },
}

const send = (route: string, { sessionToken }: SignedIn, more: Record<string, unknown>) => {
  const [method = '', url = ''] = route.split(' ')
  const { path = url, body } = bodies[route] ?? { body: {} }
  return app.call(method, path, { body: { ...body, ...more }, ...withSession(sessionToken) })
}

test('the list names every route that takes the current password', async () => {
  const json = await apiDocument(app)
  const operations = Object.entries<Record<string, object>>(json.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
  const found = operations.filter(({ operation }) => JSON.stringify(operation).includes('"current_password":'))
  const listed = Object.keys(bodies).map((route) => route.replace(/:(\w+)/g, '{$1}'))
  assert.deepEqual(found.map(({ name }) => name).toSorted(), listed.toSorted())
})

test('a wrong password is refused and counted although the sign-in is recent, and changes nothing', async () => {
  for (const route of Object.keys(bodies)) {
    const ada = await registered(app)
    const before = await rowCounts(app)
    const reply = await send(route, ada, { current_password: 'not the password' })
    assertError(reply, 400, 'INVALID_CURRENT_PASSWORD', route)
    assert.deepEqual(await rowCounts(app), before, route)
    const traces = (await auditOf(app, 'reauth_fail')).filter(({ target_id }) => target_id === ada.id)
    assert.equal(traces.length, 1, route)
    for (let attempt = 0; attempt < 4; attempt++) await send(route, ada, { current_password: 'not the password' })
    assertError(await app.post('/auth/login', ada), 429, 'RATE_LIMITED', route)
  }
})

test('a user without a password is refused when one is sent', async () => {
  for (const route of Object.keys(bodies)) {
    const ada = await registered(app)
    await sql`UPDATE users SET password_hash = NULL WHERE id = ${ada.id}`.execute(app.ctx.db)
    assertError(await send(route, ada, { current_password: ada.password }), 400, 'INVALID_CURRENT_PASSWORD', route)
  }
})
