import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createWardenry, type Wardenry } from '../../../packages/server/src/index.ts'
import { sessionSource } from '../../../packages/server/src/session-source.ts'
import {
  type MachineSetup,
  machineSetup,
  type OAuthAdmin,
  oauthAdmin,
  oauthEnv,
  oauthModules,
  tokenOf,
} from '../../modules/oauth/support.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/free-port.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../../support/test-app.ts'

let app: TestApp
let admin: OAuthAdmin
let made: MachineSetup
let wardenry: Wardenry
let bearers: NonNullable<ReturnType<typeof sessionSource>['bearers']>
before(async () => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  app = await startTestApp({ modules: oauthModules, env: { ...oauthEnv, PUBLIC_URL: url } })
  admin = await oauthAdmin(app)
  made = await machineSetup(admin)
  await app.http.listen({ host: '127.0.0.1', port })
  const internalUrl = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
  const source = sessionSource({ internalUrl, bridgeSecret, fetch, maxSessions: 100 })
  bearers = source.bearers!
  wardenry = createWardenry({ url, internalUrl, bridgeSecret, source, onError() {} })
})
after(async () => {
  wardenry.close()
  await app.stop()
})

async function outcomeOf(token: string, resource: string, scopes?: string[]): Promise<string> {
  const request = { method: 'GET', headers: { authorization: `Bearer ${token}` } }
  return wardenry.getSession(request, { kinds: ['token'], resource, ...(scopes && { scopes }) }).then(
    ({ kind }) => kind,
    ({ code }) => code,
  )
}

/** Nothing is cached in the first second of a stream. */
const untilCached = (token: string, resource: string) =>
  eventually(async () => {
    assert.equal(await outcomeOf(token, resource), 'token')
    return bearers.peek(token, { endUser: { user_agent: '' }, scopes: [], resource }) !== 'ask'
  }, 15_000)

test('a cached token opens only its API and what its scopes permit, and ends with its client', async () => {
  const opaque = await machineSetup(admin, { token_format: 'opaque' })
  for (const { api, application, machine } of [made, opaque]) {
    const token = await tokenOf(app, machine, { resource: api.identifier, scope: application.read })
    await untilCached(token, api.identifier)
    assert.equal(await outcomeOf(token, api.identifier, [application.read]), 'token')
    assert.equal(await outcomeOf(token, api.identifier, [application.write]), 'INSUFFICIENT_SCOPE')
    assert.equal(await outcomeOf(token, `${api.identifier}/`), 'token')
    assert.equal(await outcomeOf(token, 'https://unknown.example.com'), 'INVALID_CREDENTIAL')
    await untilCached(token, api.identifier)
    await admin.update(machine.clientId, { enabled: false })
    await eventually(async () => (await outcomeOf(token, api.identifier)) === 'INVALID_CREDENTIAL', 1_000)
  }
})

test('a token for one API does not open another one of the same client', async () => {
  const setup = await machineSetup(admin)
  const other = await admin.resource(setup.application.id)
  await admin.update(setup.machine.clientId, { resources: [setup.api.id, other.id] })
  const token = await tokenOf(app, setup.machine, { resource: setup.api.identifier })
  await untilCached(token, setup.api.identifier)
  assert.equal(await outcomeOf(token, other.identifier), 'INVALID_CREDENTIAL')
})
