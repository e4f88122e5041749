import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { type KyselyPlugin, sql } from 'kysely'
import type { Context } from '../../../src/context.ts'
import { isSealedByOldKey, unseal } from '../../../src/lib/seal.ts'
import { invalidateDirectory } from '../../../src/modules/oauth/directory.ts'
import { findDirectoryVersion } from '../../../src/modules/oauth/directory-queries.ts'
import { findSigningKeys } from '../../../src/modules/oauth/keys/key-queries.ts'
import { verificationKeyFor } from '../../../src/modules/oauth/keys/signing-key.ts'
import { signingKeyJobs } from '../../../src/modules/oauth/keys/upkeep.ts'
import { signingAlgs } from '../../../src/modules/oauth/rows.ts'
import { auditOf } from '../../support/rows.ts'
import type { TestApp } from '../../support/test-app.ts'
import { isPublished, jwksPath, kidOf, signed, startOAuth, verifies } from './key-support.ts'

let app: TestApp
before(async () => {
  app = await startOAuth()
})
after(() => app.stop())

const jwks = async (): Promise<JWK[]> => (await app.get(jwksPath)).json.keys

test('no key exists before the first token', async () => {
  const { status, json } = await app.get(jwksPath)
  assert.deepEqual([status, json], [200, { keys: [] }])
})

test('each algorithm gets a key with its first token, and published keys verify the tokens', async () => {
  for (const alg of signingAlgs) {
    const jwt = await signed(app, alg)
    assert.ok(await isPublished(app, jwt), alg)
    assert.ok(await verifies(app, jwt), alg)
    assert.equal(kidOf(await signed(app, alg)), kidOf(jwt))
  }
  assert.deepEqual((await jwks()).map(({ alg }) => alg).toSorted(), ['ES256', 'EdDSA', 'RS256'])
  assert.equal((await auditOf(app, 'oauth_key_created')).length, 3)
})

test('concurrent first tokens share one key', async (t) => {
  const other = await startOAuth()
  t.after(() => other.stop())
  const kids = await Promise.all(Array.from({ length: 20 }, async () => kidOf(await signed(other))))
  assert.equal(new Set(kids).size, 1)
  assert.equal((await findSigningKeys(other.ctx.db)).length, 1)
})

test('the id of a key is the thumbprint of RFC 7638', async () => {
  for (const jwk of await jwks()) assert.equal(jwk.kid, await calculateJwkThumbprint(jwk))
})

test('the published keys have no private members, even if the stored ones had', async () => {
  const [stored] = await findSigningKeys(app.ctx.db)
  assert.ok(stored)
  await sql`UPDATE oauth_keys SET public_jwk = public_jwk || '{"d": "private", "p": "private", "k": "private"}'
    WHERE kid = ${stored.kid}`.execute(app.ctx.db)
  await invalidateDirectory(app.ctx, await findDirectoryVersion(app.ctx.db))
  const { text, json } = await app.get(jwksPath)
  assert.ok(!text.includes('private'))
  const members = new Set(json.keys.flatMap((jwk: JWK) => Object.keys(jwk)))
  assert.deepEqual([...members].toSorted(), ['alg', 'crv', 'e', 'kid', 'kty', 'n', 'use', 'x', 'y'])
  await sql`UPDATE oauth_keys SET public_jwk = public_jwk - 'd' - 'p' - 'k'`.execute(app.ctx.db)
  await invalidateDirectory(app.ctx, await findDirectoryVersion(app.ctx.db))
})

test('RSA keys have 2,048 bits', async () => {
  const rsa = (await jwks()).find(({ alg }) => alg === 'RS256')
  assert.equal(Buffer.from(rsa?.n ?? '', 'base64url').length, 256)
})

test('private keys are stored only encrypted under the data key', async () => {
  for (const { kid, sealed_private, public_jwk } of await findSigningKeys(app.ctx.db)) {
    const jwk = JSON.parse(unseal(app.ctx.dataKeys, sealed_private))
    assert.equal(typeof jwk.d, 'string')
    const { rows } = await sql<{ text: string }>`SELECT k::text AS text FROM oauth_keys k
      WHERE kid = ${kid}`.execute(app.ctx.db)
    assert.ok(!rows[0]?.text.includes(jwk.d))
    assert.ok(!('d' in public_jwk))
    assert.throws(() => unseal([{ id: '1', key: Buffer.alloc(32, 8) }], sealed_private))
  }
})

test('keys are encrypted again after the data key was replaced', async () => {
  const before = await signed(app)
  const dataKeys = [{ id: '2', key: Buffer.alloc(32, 9) }, ...app.ctx.dataKeys]
  const ctx = { ...app.ctx, dataKeys }
  await signingKeyJobs.oauth_keys(ctx)
  for (const { sealed_private } of await findSigningKeys(app.ctx.db)) {
    assert.ok(!isSealedByOldKey(dataKeys, sealed_private))
    assert.equal(typeof JSON.parse(unseal(dataKeys.slice(0, 1), sealed_private)).d, 'string')
  }
  assert.ok(await isPublished(app, before))
  // The node with the old data keys cannot sign, but still verifies.
  assert.ok(await verifies(app, before))
  await assert.rejects(signed(app), /no data key with id "2"/)
  await signingKeyJobs.oauth_keys({ ...app.ctx, dataKeys: dataKeys.toReversed() })
  assert.equal(kidOf(await signed(app)), kidOf(before))
})

/** Another node on the same database, whose queries are counted. */
function countingNode() {
  let count = 0
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      count++
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const { sessions, db } = app.ctx
  const ctx: Context = { ...app.ctx, sessions: { ...sessions }, db: db.withPlugin(counter) }
  return { ctx, queries: () => count }
}

test('an id that is not a thumbprint is not looked up', async () => {
  const { ctx, queries } = countingNode()
  for (const kid of ['', '../../etc/passwd', "' OR 1=1--", 'a'.repeat(44), `${'a'.repeat(42)}\n`])
    assert.equal(await verificationKeyFor(ctx, kid), undefined)
  assert.equal(queries(), 0)
})

test('a node that meets an unknown id reads the keys again, but not for each one', async () => {
  const { ctx, queries } = countingNode()
  assert.ok(await verificationKeyFor(ctx, kidOf(await signed(app))))
  const once = queries()
  for (let count = 0; count < 20; count++)
    assert.equal(await verificationKeyFor(ctx, randomBytes(32).toString('base64url')), undefined)
  assert.equal(queries(), 2 * once)
})

test('the JWKS can be cached for an hour, and read by pages of any origin without credentials', async () => {
  for (const origin of [undefined, 'https://elsewhere.example', app.ctx.config.PUBLIC_URL]) {
    const headers = origin === undefined ? {} : { origin }
    const reply = await app.get(jwksPath, { headers })
    assert.equal(reply.headers['cache-control'], 'public, max-age=3600')
    assert.match(String(reply.headers['content-type']), /^application\/json/)
    assert.equal(reply.headers['access-control-allow-origin'], '*')
    assert.equal(reply.headers['access-control-allow-credentials'], undefined)
    const { etag } = reply.headers
    const again = await app.get(jwksPath, { headers: { ...headers, 'if-none-match': String(etag) } })
    assert.deepEqual([again.status, again.text], [304, ''])
  }
  const headers = { origin: 'https://elsewhere.example', 'access-control-request-headers': 'mcp-protocol-version' }
  const preflight = await app.call('OPTIONS', jwksPath, { headers })
  assert.equal(preflight.headers['access-control-allow-origin'], '*')
  assert.equal(preflight.headers['access-control-allow-credentials'], undefined)
  assert.equal(preflight.headers['access-control-allow-methods'], 'GET')
})

test('nothing is published while the module is off', async (t) => {
  const off = await startOAuth({ OAUTH_ENABLED: 'false' })
  t.after(() => off.stop())
  for (const path of [jwksPath, '/.well-known/openid-configuration'])
    assert.equal((await off.get(path)).json.code, 'MODULE_DISABLED')
})
