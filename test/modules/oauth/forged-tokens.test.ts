import assert from 'node:assert/strict'
import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { signingKeyFor } from '../../../src/modules/oauth/keys/signing-key.ts'
import type { SigningAlg } from '../../../src/modules/oauth/rows.ts'
import { parseJwt } from '../../../src/modules/oauth/token/jwt.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import {
  basic,
  type MachineSetup,
  machineSetup,
  type OAuthAdmin,
  oauthAdmin,
  oauthEnv,
  oauthModules,
  postForm,
  tokenOf,
} from './support.ts'

let app: TestApp
let admin: OAuthAdmin
const setups = new Map<SigningAlg, MachineSetup>()
before(async () => {
  app = await startTestApp({ modules: oauthModules, env: oauthEnv })
  admin = await oauthAdmin(app)
  for (const alg of ['ES256', 'EdDSA', 'RS256'] as const) setups.set(alg, await machineSetup(admin, { alg }))
})
after(() => app.stop())

type Members = Record<string, unknown>
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const read = (text = ''): Members => JSON.parse(Buffer.from(text, 'base64url').toString())

const isActive = async ({ server }: MachineSetup, token: string): Promise<boolean> =>
  (await postForm(app, '/oauth/introspect', { token }, basic(server))).json.active

/** A token of the service, and the same token signed again by its key with other members. */
async function forger(alg: SigningAlg) {
  const setup = setups.get(alg)
  assert.ok(setup)
  const token = await tokenOf(app, setup.machine)
  const [head, body, tail] = token.split('.')
  const [header, claims] = [read(head), read(body)]
  const { privateKey, publicKey } = await signingKeyFor(app.ctx, alg)
  const signed = (changedHeader: Members = {}, changedClaims: Members = {}) => {
    const text = `${part({ ...header, ...changedHeader })}.${part({ ...claims, ...changedClaims })}`
    const digest = alg === 'EdDSA' ? null : 'sha256'
    const signature = sign(digest, Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${text}.${signature.toString('base64url')}`
  }
  const refused = async (text: string, about: string) => assert.equal(await isActive(setup, text), false, about)
  assert.equal(await isActive(setup, token), true)
  assert.equal(await isActive(setup, signed()), true, 'the forger signs as the service does')
  return { setup, token, header, claims, head, body, tail, publicKey, signed, refused }
}

for (const alg of ['ES256', 'EdDSA', 'RS256'] as const) {
  test(`the signature of a token decides, with the algorithm of its key: ${alg}`, async () => {
    const { header, claims, head, body, publicKey, signed, refused } = await forger(alg)
    const pem = publicKey.export({ type: 'spki', format: 'pem' })
    const jwk = JSON.stringify(publicKey.export({ format: 'jwk' }))
    for (const none of ['none', 'None', 'NONE', ''])
      await refused(`${part({ ...header, alg: none })}.${body}.`, `alg ${none} without a signature`)
    for (const key of [pem, jwk, String(header.kid)]) {
      const text = `${part({ ...header, alg: 'HS256' })}.${body}`
      await refused(
        `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`,
        'the public key as a secret',
      )
    }
    for (const other of ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'HS256'].filter((one) => one !== alg))
      await refused(signed({ alg: other }), `alg ${other}`)
    for (const zeros of ['', 'AA', Buffer.alloc(64).toString('base64url'), Buffer.alloc(256).toString('base64url')])
      await refused(`${head}.${body}.${zeros}`, `the signature ${zeros}`)
    await refused(`${part(header)}.${part({ ...claims, sub: 'root' })}.${signed().split('.')[2]}`, 'other claims')
  })
}

test('members of the header name no keys and demand nothing', async () => {
  const { header, signed, refused } = await forger('ES256')
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = createPublicKey(pair.privateKey).export({ format: 'jwk' })
  for (const members of [
    { jwk },
    { jku: 'http://127.0.0.1:9/jwks' },
    { x5u: 'http://127.0.0.1:9/x5u' },
    { x5c: ['MII'] },
    { crit: ['exp'], exp: 1 },
    { b64: false },
    { kid: '../../../dev/null' },
    { kid: "' OR 1=1 --" },
    { kid: [header.kid] },
    { kid: undefined },
    { typ: 'JWT' },
    { typ: 'logout+jwt' },
    { typ: 'dpop+jwt' },
    { typ: 'application/at+jwt' },
    { typ: undefined },
    { cty: 'JWT' },
  ])
    await refused(signed(members), JSON.stringify(members))
})

test('claims must be those of a token of this service, for a resource that exists', async () => {
  const { setup, claims, signed, refused } = await forger('ES256')
  const other = setups.get('RS256')
  const now = Math.floor(app.clock.now() / 1000)
  for (const members of [
    { iss: 'https://evil.example' },
    { iss: `${claims.iss}/` },
    { aud: 'https://nowhere.example' },
    { aud: [claims.aud] },
    { aud: undefined },
    { exp: now },
    { exp: `${now + 600}` },
    { exp: undefined },
    { iat: undefined },
    { jti: undefined },
    { jti: 'x' },
    { jti: String(claims.jti).replace(/^./, 'B') },
    // From before the first epochs of the client and of the resource.
    { jti: String(claims.jti).replace(/\.\w+\./, '.0.') },
    { jti: String(claims.jti).replace(/\.\w+(\.[\w-]+)$/, '.0$1') },
    { jti: String(claims.jti).replace(/\.\w+\./, '.') },
  ])
    await refused(signed({}, members), JSON.stringify(members))
  // For the resource of another application, which the client does not have.
  const foreign = { token: signed({}, { aud: other?.api.identifier }) }
  for (const by of [setup.machine, other?.server ?? setup.server]) {
    const asked = await postForm(app, '/oauth/introspect', foreign, basic(by))
    assert.deepEqual(asked.json, { active: false })
  }
  assert.equal(await isActive(setup, signed({}, { scope: 'wardenry:users:read root' })), true)
  const body = { token: signed({}, { scope: 'wardenry:users:read root' }) }
  const seen = await postForm(app, '/oauth/introspect', body, basic(setup.server))
  assert.equal(seen.json.scope, undefined, 'the client has no such scope')
})

test('no text breaks the parser', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.base64String(),
    fc.array(fc.base64String()).map((parts) => parts.join('.')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      assert.equal(parseJwt(text, 'at+jwt', 'https://id.example.com'), undefined)
    }),
  )
  const headers = fc.json().map((json) => `${Buffer.from(json).toString('base64url')}.e30.AA`)
  fc.assert(fc.property(headers, (text) => assert.equal(parseJwt(text, 'at+jwt', 'https://id.example.com'), undefined)))
})
