import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { ClientCredentials } from 'simple-oauth2'
import { type LiveService, startLiveService } from './live.ts'
import { type MachineSetup, machineSetup, postForm, tokenOf } from './support.ts'

let service: LiveService
let jwt: MachineSetup
let opaque: MachineSetup
before(async () => {
  service = await startLiveService()
  jwt = await machineSetup(service.admin)
  opaque = await machineSetup(service.admin, { token_format: 'opaque' })
})
after(() => service.app.stop())

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const methods = { basic: oauth.ClientSecretBasic, post: oauth.ClientSecretPost }
  const discovered = async (algorithm: 'oauth2' | 'oidc') => {
    const issuer = new URL(service.issuer)
    return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm, ...insecure }))
  }

  for (const algorithm of ['oauth2', 'oidc'] as const)
    for (const [method, proofOf] of Object.entries(methods))
      test(`finds the endpoints by ${algorithm}, and uses them with ${method}`, async () => {
        const server = await discovered(algorithm)
        for (const setup of [jwt, opaque]) {
          const machine = { client_id: setup.machine.clientId }
          const proof = proofOf(setup.machine.secret)
          const parameters = { scope: setup.application.read, resource: setup.api.identifier }
          const asked = await oauth.clientCredentialsGrantRequest(server, machine, proof, parameters, insecure)
          const issued = await oauth.processClientCredentialsResponse(server, machine, asked)
          assert.deepEqual(
            [issued.token_type, issued.expires_in, issued.scope],
            ['bearer', 600, setup.application.read],
          )

          const api = { client_id: setup.server.clientId }
          const proofOfApi = proofOf(setup.server.secret)
          const introspect = async () => {
            const reply = await oauth.introspectionRequest(server, api, proofOfApi, issued.access_token, insecure)
            return oauth.processIntrospectionResponse(server, api, reply)
          }
          const seen = await introspect()
          assert.deepEqual(
            [seen.active, seen.scope, seen.client_id, seen.aud],
            [true, setup.application.read, setup.machine.clientId, setup.api.identifier],
          )
          const revoked = await oauth.revocationRequest(server, machine, proof, issued.access_token, insecure)
          await oauth.processRevocationResponse(revoked)
          assert.deepEqual(await introspect(), { active: false })
        }
      })

  test('validates the JWTs as a resource server', async () => {
    const server = await discovered('oauth2')
    const token = await tokenOf(service.app, jwt.machine)
    const validated = (audience: string) => {
      const request = new Request(jwt.api.identifier, { headers: { authorization: `Bearer ${token}` } })
      // The clock of the service is an hour late.
      return oauth.validateJwtAccessToken(server, request, audience, { ...insecure, [oauth.clockTolerance]: 3_700 })
    }
    const { sub, scope } = await validated(jwt.api.identifier)
    assert.deepEqual([sub, scope], [jwt.machine.clientId, `${jwt.application.read} ${jwt.application.write}`])
    await assert.rejects(validated(opaque.api.identifier), { code: oauth.JWT_CLAIM_COMPARISON })
  })

  test('is told what is wrong', async () => {
    const server = await discovered('oauth2')
    const machine = { client_id: jwt.machine.clientId }
    const ask = async (secret: string, parameters: Record<string, string>) => {
      const proof = oauth.ClientSecretBasic(secret)
      const reply = await oauth.clientCredentialsGrantRequest(server, machine, proof, parameters, insecure)
      return oauth.processClientCredentialsResponse(server, machine, reply)
    }
    await assert.rejects(ask('wrong', {}), { code: oauth.WWW_AUTHENTICATE_CHALLENGE, status: 401 })
    const { secret } = jwt.machine
    await assert.rejects(ask(secret, { scope: 'unknown' }), { error: 'invalid_scope', status: 400 })
    await assert.rejects(ask(secret, { resource: opaque.api.identifier }), { error: 'invalid_target', status: 400 })
  })
})

describe('openid-client', () => {
  const insecure = { execute: [client.allowInsecureRequests] }
  const methods = { basic: client.ClientSecretBasic, post: client.ClientSecretPost }

  for (const [method, proofOf] of Object.entries(methods))
    test(`gets, introspects and revokes tokens with ${method}`, async () => {
      for (const setup of [jwt, opaque]) {
        const as = ({ clientId, secret }: MachineSetup['machine']) =>
          client.discovery(new URL(service.issuer), clientId, undefined, proofOf(secret), insecure)
        const machine = await as(setup.machine)
        const issued = await client.clientCredentialsGrant(machine, { resource: setup.api.identifier })
        assert.equal(issued.expires_in, 600)
        const api = await as(setup.server)
        const introspect = () => client.tokenIntrospection(api, issued.access_token)
        const seen = await introspect()
        assert.deepEqual([seen.active, seen.sub], [true, setup.machine.clientId])
        await client.tokenRevocation(machine, issued.access_token)
        assert.deepEqual(await introspect(), { active: false })
      }
    })

  test('is told what is wrong', async () => {
    const { clientId } = jwt.machine
    const machine = await client.discovery(new URL(service.issuer), clientId, 'wrong', undefined, insecure)
    await assert.rejects(client.clientCredentialsGrant(machine), { error: 'invalid_client', status: 401 })
  })
})

describe('simple-oauth2', () => {
  for (const authorizationMethod of ['header', 'body'] as const)
    test(`gets and revokes tokens with the secret in the ${authorizationMethod}`, async () => {
      for (const { machine, server, application } of [jwt, opaque]) {
        const machines = new ClientCredentials({
          client: { id: machine.clientId, secret: machine.secret },
          auth: { tokenHost: service.issuer, tokenPath: '/oauth/token', revokePath: '/oauth/revoke' },
          options: { authorizationMethod },
        })
        const issued = await machines.getToken({ scope: [application.read, application.write] })
        assert.equal(issued.expired(), false)
        const { access_token: token, scope } = issued.token
        assert.equal(scope, `${application.read} ${application.write}`)
        const parameters = { token: String(token), client_id: server.clientId, client_secret: server.secret }
        const isActive = async () => (await postForm(service.app, '/oauth/introspect', parameters)).json.active
        assert.equal(await isActive(), true)
        await issued.revoke('access_token')
        assert.equal(await isActive(), false)
        await assert.rejects(machines.getToken({ scope: 'unknown' }), /400 Bad Request/)
      }
    })
})

/** An API that verifies tokens as docs/oauth/apis.md says. */
function verifier(audience = jwt.api.identifier) {
  let requests = 0
  const keys = createRemoteJWKSet(new URL(`${service.issuer}/oauth/jwks`), {
    cooldownDuration: 0,
    [customFetch]: (url, init) => {
      requests++
      return fetch(url, init)
    },
  })
  const options = { issuer: service.issuer, audience, typ: 'at+jwt', algorithms: ['ES256'] }
  return {
    requests: () => requests,
    accepts: (token: string) =>
      jwtVerify(token, keys, options).then(
        () => true,
        () => false,
      ),
  }
}

const issued = () => tokenOf(service.app, jwt.machine)

test('jose verifies tokens across a planned rotation with the keys that it has, and not after a compromise', async () => {
  await issued()
  const api = verifier()
  const other = verifier('https://other.example.com')
  let before = ''
  await service.rotate(async () => {
    before = await issued()
    assert.equal(await api.accepts(before), true)
    assert.equal(await other.accepts(before), false)
  })
  const after = await issued()
  assert.deepEqual([await api.accepts(before), await api.accepts(after), api.requests()], [true, true, 1])

  const late = verifier()
  assert.deepEqual([await late.accepts(before), await late.accepts(after), late.requests()], [true, true, 1])
  const [head, body = '', signature] = after.split('.')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
  const widened = Buffer.from(JSON.stringify({ ...claims, scope: 'all' })).toString('base64url')
  assert.equal(await api.accepts([head, widened, signature].join('.')), false)

  await service.replaceCompromised()
  const parameters = { client_id: jwt.server.clientId, client_secret: jwt.server.secret }
  for (const token of [before, after]) {
    assert.equal((await postForm(service.app, '/oauth/introspect', { ...parameters, token })).json.active, false)
    assert.equal(await verifier().accepts(token), false)
  }
  const latest = await issued()
  assert.deepEqual([await api.accepts(latest), api.requests()], [true, 2], 'an unknown key is looked up')
  assert.deepEqual([await api.accepts(before), await api.accepts(after)], [false, false])
})
