import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { handedOver, issued, redeemed } from '../support/handover.ts'
import { registered, type SignedIn } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { type Superadmin, secretsOf, superadminOf } from './support.ts'

let app: TestApp
let superadmin: Superadmin
let ada: SignedIn
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '1000/1h', ALLOWED_REDIRECTS: 'https://declared.test' } })
  superadmin = await superadminOf(app)
  ada = await registered(app)
})
after(() => app.stop())

/** An application with a secret and a session. */
async function applicationWith(key: string) {
  const origin = `https://${key}.test`
  const { id, create } = await secretsOf(superadmin, key, { return_addresses: [origin] })
  const { secret } = await create({ rights: ['sessions', 'users'] })
  return { id, key, origin, secret, sessionToken: await handedOver(app, ada.sessionToken, `${origin}/`) }
}

const headersOf = (secret: string) => ({ 'x-bridge-secret': secret })

/** The replies of all routes to which a back end sends a session. */
async function replies(secret: string, sessionToken: string, origin: string) {
  const headers = headersOf(secret)
  const both = { headers: { ...headers, 'x-session-id': sessionToken } }
  const one = await app.post('/auth/bridge/validate', { session_id: sessionToken }, { headers })
  const many = await app.post('/auth/bridge/validate', { session_ids: [sessionToken] }, { headers })
  const others = await Promise.all([
    app.get(`/auth/verify?application=${origin}`, both),
    app.get('/auth/user/me', both),
  ])
  return [one, ...others]
    .map(({ status, json }) => `${status} ${json.code ?? 'ok'}`)
    .concat(many.json.results[0].code ?? 'ok')
}
const accepted = ['200 ok', '200 ok', '200 ok', 'ok']
const unknown = ['401 INVALID_SESSION', '401 INVALID_SESSION', '401 INVALID_SESSION', 'INVALID_SESSION']

describe('a secret of an application', () => {
  test('sees browser sessions and its own ones; those of others do not exist for it', async () => {
    const [shop, wiki] = [await applicationWith('shop'), await applicationWith('wiki')]
    assert.deepEqual(await replies(shop.secret, shop.sessionToken, shop.origin), accepted)
    assert.deepEqual(await replies(shop.secret, ada.sessionToken, shop.origin), accepted)
    assert.deepEqual(await replies(shop.secret, wiki.sessionToken, wiki.origin), unknown)
    const declared = await handedOver(app, ada.sessionToken, 'https://declared.test/')
    assert.deepEqual(await replies(shop.secret, declared, 'https://declared.test'), unknown)
    const missing = `ses_${'x'.repeat(43)}`
    assert.deepEqual(await replies(shop.secret, missing, shop.origin), unknown)
    const texts = await Promise.all(
      [wiki.sessionToken, missing].map(async (session_id) => {
        const { json } = await app.post('/auth/bridge/validate', { session_id }, { headers: headersOf(shop.secret) })
        return { ...json, request_id: '' }
      }),
    )
    assert.deepEqual(texts[0], texts[1])
  })

  test('sees the sessions of the applications in `accepts`, and no longer when they are removed', async () => {
    const [site, phone] = [await applicationWith('site'), await applicationWith('phone')]
    const accept = (accepts: string[]) => superadmin.call('PUT', `/${site.id}`, { accepts })
    assert.deepEqual((await accept(['phone'])).json.data.accepts, ['phone'])
    assert.deepEqual(await replies(site.secret, phone.sessionToken, phone.origin), accepted)
    assert.deepEqual(await replies(phone.secret, site.sessionToken, site.origin), unknown, 'in one direction only')
    const { details } = (await auditOf(app, 'application_updated')).at(-1)!
    assert.deepEqual(details.changes, { accepts: { from: [], to: ['phone'] } })
    await accept([])
    assert.deepEqual(await replies(site.secret, phone.sessionToken, phone.origin), unknown)
    for (const wrong of ['site', 'phones', 'Not a key']) {
      const { status, json } = await accept([wrong])
      assert.deepEqual([status, json.details[0].field], [400, 'accepts'], wrong)
    }
  })

  test('redeems only its own codes, and spends no other', async () => {
    const [cart, blog] = [await applicationWith('cart'), await applicationWith('blog')]
    const code = await issued(app, ada.sessionToken, `${cart.origin}/`)
    const redeemedBy = (secret: string) =>
      app.post(
        '/auth/bridge/redeem',
        { code: code.code, code_verifier: code.verifier, return_to: code.returnTo },
        { headers: headersOf(secret) },
      )
    const { status, json } = await redeemedBy(blog.secret)
    assert.deepEqual([status, json.code], [400, 'INVALID_CODE'])
    assert.equal((await auditOf(app, 'handover_rejected')).at(-1)?.details.reason, 'other_application')
    assert.equal((await redeemedBy(cart.secret)).status, 200)
    assert.equal((await redeemedBy(blog.secret)).status, 400, 'and does not end the session of another application')
    assert.equal((await auditOf(app, 'handover_rejected')).at(-1)?.details.reason, 'other_application')
  })

  test('owns nothing of the settings, or of others, on the same origin', async () => {
    const declared = await handedOver(app, ada.sessionToken, 'https://declared.test/account')
    const { create } = await secretsOf(superadmin, 'part', { return_addresses: ['https://declared.test/part'] })
    const { secret } = await create({ rights: ['sessions', 'users'] })
    assert.deepEqual(await replies(secret, declared, 'https://declared.test'), unknown)
    const code = await issued(app, ada.sessionToken, 'https://declared.test/account')
    const body = { code: code.code, code_verifier: code.verifier, return_to: code.returnTo }
    assert.equal((await app.post('/auth/bridge/redeem', body, { headers: headersOf(secret) })).status, 400)
    const own = await issued(app, ada.sessionToken, 'https://declared.test/part/callback')
    const ownBody = { code: own.code, code_verifier: own.verifier, return_to: own.returnTo }
    const redeemed_ = await app.post('/auth/bridge/redeem', ownBody, { headers: headersOf(secret) })
    assert.equal(redeemed_.status, 200)
    assert.deepEqual(await replies(secret, redeemed_.json.sessionId, 'https://declared.test'), accepted)
  })

  test('has no effect on the sessions of others, and does not learn that they exist', async () => {
    const [one, other] = [await applicationWith('one'), await applicationWith('other')]
    const before = await sql`SELECT id, last_used_at FROM sessions ORDER BY id`.execute(app.ctx.db)
    app.clock.advance(10 * 60_000)
    const ask = (sessionToken: string) =>
      Promise.all([
        app.get('/auth/user/me', { headers: { ...headersOf(one.secret), 'x-session-id': sessionToken } }),
        app.get('/auth/user/me', { headers: { ...headersOf(one.secret), cookie: `session_id=${sessionToken}` } }),
        app.call('POST', '/auth/logout', { headers: { ...headersOf(one.secret), 'x-session-id': sessionToken } }),
      ])
    const shown = (list: Awaited<ReturnType<typeof ask>>) =>
      list.map(({ status, json, headers }) => [status, json.code, json.error, headers['set-cookie'] ?? null])
    const missing = shown(await ask(`ses_${'x'.repeat(43)}`))
    assert.deepEqual(shown(await ask(other.sessionToken)), missing)
    app.clock.advance(app.ctx.config.SESSION_IDLE_TTL)
    assert.deepEqual(shown(await ask(other.sessionToken)), missing, 'expired')
    const after = await sql`SELECT id, last_used_at FROM sessions ORDER BY id`.execute(app.ctx.db)
    assert.deepEqual(after.rows, before.rows)
    superadmin = await superadminOf(app)
    ada = await registered(app)
  })

  test('does not accept the sessions of a new application that got the key of an erased one', async () => {
    const site = await applicationWith('keeper')
    const gone = await applicationWith('gone')
    await superadmin.call('PUT', `/${site.id}`, { accepts: ['gone'] })
    await superadmin.call('DELETE', `/${gone.id}`)
    assert.equal((await superadmin.call('PUT', `/${site.id}`, { accepts: ['gone', 'one'] })).status, 400)
    await sql`DELETE FROM applications WHERE id = ${gone.id}`.execute(app.ctx.db)
    const heir = await applicationWith('gone')
    assert.deepEqual((await superadmin.call('GET', `/${site.id}`)).json.data.accepts, [])
    assert.deepEqual(await replies(site.secret, heir.sessionToken, heir.origin), unknown)
  })

  test('sees its sessions from the time when the settings declared its address', async () => {
    const before = await handedOver(app, ada.sessionToken, 'https://declared.test/')
    const { create } = await secretsOf(superadmin, 'adopted', { return_addresses: ['https://declared.test'] })
    const { secret } = await create({ rights: ['sessions', 'users'] })
    assert.deepEqual(await replies(secret, before, 'https://declared.test'), accepted)
    const code = await issued(app, ada.sessionToken, 'https://declared.test/')
    assert.equal((await redeemed(app, code)).status, 200)
  })
})
