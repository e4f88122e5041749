import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createApp } from '../../src/app.ts'
import { examinePasskeyDomain, examinePasskeys } from '../../src/cli/doctor/passkeys.ts'
import { type Config, ConfigError, loadConfig } from '../../src/config/load.ts'
import { createLogger } from '../../src/lib/log.ts'
import { assertSameRelyingParty } from '../../src/webauthn/former-relying-party.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { addPasskey, homeOf, passkeyOwner } from '../support/passkeys.ts'
import { registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const own = { PUBLIC_URL: 'https://id.example.com' }
const moved = { PUBLIC_URL: 'https://id.example.org' }

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['two-factor'], env: own })
})
after(() => app?.stop())

/** The configuration of the same installation after a change of its environment. */
const changed = (env: Record<string, string>): Config =>
  loadConfig({ NODE_ENV: 'test', AUTH_SECRET: app.ctx.config.AUTH_SECRET, ...env })
const check = (env: Record<string, string>) => assertSameRelyingParty(app.ctx.db, changed(env))

test('before the first passkey, the domain can change, and doctor says how to choose it', async () => {
  await check(moved)
  const two = { ...own, FRONTEND_URL: 'https://app.example.com' }
  const expected = /pages on app\.example\.com cannot use them\nSet WEBAUTHN_RP_ID=example\.com before the first/
  const finding = await examinePasskeys(app.ctx.db, changed(two))
  assert.equal(finding.state, 'notice')
  assert.match(finding.text, expected)
  assert.match(examinePasskeyDomain(changed(two)).text, expected, 'before there is a database')
  for (const env of [
    own,
    { ...two, WEBAUTHN_RP_ID: 'id.example.com' },
    { ...two, WEBAUTHN_RP_ID: 'example.com' },
    { ...own, FRONTEND_URL: 'https://www.id.example.com' },
    { ...own, FRONTEND_URL: 'https://example.org' },
    { PUBLIC_URL: 'https://a.github.io', FRONTEND_URL: 'https://b.github.io' },
    { ...two, PASSKEYS_ENABLED: 'false' },
  ])
    assert.equal((await examinePasskeys(app.ctx.db, changed(env))).state, 'ok', JSON.stringify(env))
  const unusable = await examinePasskeys(app.ctx.db, changed({ PUBLIC_URL: 'http://127.0.0.1:3000' }))
  assert.match(unusable.text, /not available on the pages of the service/)
})

test('once there are passkeys, a start for another domain is refused with their number', async () => {
  await passkeyOwner(app)
  await assert.rejects(check(moved), (error) => {
    assert.ok(error instanceof ConfigError)
    assert.match(error.message, /1 passkey was created for id\.example\.com/)
    return true
  })
  await passkeyOwner(app, 'grace')
  await assert.rejects(check(moved), /2 passkeys were created for id\.example\.com and would stop working/)
  const start = createApp({
    config: changed({ ...moved, DATA_DIR: app.ctx.config.DATA_DIR }),
    log: createLogger('silent', [], () => {}),
    database: { ...app.database, close: async () => {} },
  })
  await assert.rejects(start, /WEBAUTHN_RP_ID=id\.example\.com to keep them/)
  const finding = await examinePasskeys(app.ctx.db, changed(moved))
  assert.equal(finding.state, 'problem')
  assert.match(finding.text, /passkeys were created for id\.example\.com/)
})

test('the same domain and one that is given are accepted, and doctor counts the lost passkeys', async () => {
  await check(own)
  await check({ ...own, FRONTEND_URL: 'https://app.example.com' })
  await check({ ...moved, WEBAUTHN_RP_ID: 'id.example.com', PASSKEY_RELATED_ORIGINS: 'https://id.example.org' })
  const given = { ...moved, WEBAUTHN_RP_ID: 'id.example.org' }
  await check(given)
  const finding = await examinePasskeys(app.ctx.db, changed(given))
  assert.equal(finding.state, 'notice')
  assert.match(finding.text, /2 passkeys, of which the last was created for id\.example\.com, do not work/)
  const chosen = await examinePasskeys(app.ctx.db, changed({ ...own, FRONTEND_URL: 'https://app.example.com' }))
  assert.equal(chosen.state, 'ok', 'the choice comes too late once there are passkeys')
})

test('a domain that was given becomes the domain of the passkeys with the next passkey', async (t) => {
  const other = await startTestApp({ modules: ['two-factor'], env: { ...own, WEBAUTHN_RP_ID: 'example.com' } })
  t.after(() => other.stop())
  const check = (env: Record<string, string>) => assertSameRelyingParty(other.ctx.db, changed(env))
  const somebody = await registered(other)
  await check(own)
  const { reply } = await addPasskey(other, somebody.sessionToken, createAuthenticator(homeOf(other)))
  assert.equal(reply.status, 200, reply.text)
  await assert.rejects(check(own), /created for example\.com/)
})
