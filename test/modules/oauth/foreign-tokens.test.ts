import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { sha256Bytes } from '../../../src/lib/hash.ts'
import { second } from '../../../src/lib/time.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../../support/test-app.ts'
import {
  basic,
  type MachineSetup,
  type MadeClient,
  machineSetup,
  type OAuthAdmin,
  oauthAdmin,
  oauthEnv,
  oauthModules,
  postForm,
  tokenOf,
} from './support.ts'

// Who may learn about a token is decided at each use, wherever the token comes from.

const lifetime = 5 * second

let app: TestApp
let admin: OAuthAdmin
before(async () => {
  app = await startTestApp({
    modules: oauthModules,
    env: { ...oauthEnv, SESSION_VALIDATION_CACHE_TTL: `${lifetime / second}s` },
  })
  admin = await oauthAdmin(app)
})
after(() => app.stop())

const introspect = (by: MadeClient, token: string, more: Record<string, string> = {}) =>
  postForm(app, '/oauth/introspect', { token, ...more }, basic(by))
const validate = (credential: string, resource: string, secret = bridgeSecret) =>
  app.post('/auth/bridge/validate', { credential, resource }, { headers: { 'x-bridge-secret': secret } })
const readAs = async ({ server }: MachineSetup, token: string) =>
  assert.equal((await introspect(server, token)).json.active, true)
const sourceOf = async ({ api }: MachineSetup, token: string) =>
  (await validate(token, api.identifier)).json.cacheSource as string

/** Brings the memory of the node into a state in which the next use finds the token. */
type State = (setup: MachineSetup, token: string) => Promise<unknown>

const states: Record<string, State> = {
  'was never read': async () => {},
  'was just read': readAs,
  async 'has to be read again in the background'(setup, token) {
    await readAs(setup, token)
    app.clock.advance(lifetime * 0.6)
  },
  async 'is being read again in the background'(setup, token) {
    await readAs(setup, token)
    app.clock.advance(lifetime * 0.6)
    await readAs(setup, token)
  },
  async 'is too old to be used'(setup, token) {
    await readAs(setup, token)
    app.clock.advance(lifetime)
  },
  async 'was unknown a moment ago'({ server, api }, token) {
    const [head, body, tail = ''] = token.split('.')
    const unknown = body === undefined ? token : `${head}.${body}.${tail.startsWith('A') ? 'B' : 'A'}${tail.slice(1)}`
    const hash = sha256Bytes(token)
    // An unknown JWT is one with another signature.
    await sql`UPDATE oauth_access_tokens SET token_hash = '\\x01' WHERE token_hash = ${hash}`.execute(app.ctx.db)
    assert.deepEqual((await introspect(server, unknown)).json, { active: false })
    assert.equal((await validate(unknown, api.identifier)).status, 401)
    await sql`UPDATE oauth_access_tokens SET token_hash = ${hash} WHERE token_hash = '\\x01'`.execute(app.ctx.db)
  },
  async 'was just dropped from memory'(setup, token) {
    await readAs(setup, token)
    const { rows } = await sql<{ epoch: number }>`UPDATE service_accounts SET epoch = epoch + 1
      WHERE id = ${setup.account.id} RETURNING epoch`.execute(app.ctx.db)
    await app.ctx.sessions.invalidate(setup.account.id, Number(rows[0]?.epoch))
  },
}
/** Where the token comes from in each state. */
const sources = ['database', 'memory', 'memory', 'memory', 'database', 'database', 'database']

for (const format of ['jwt', 'opaque']) {
  test(`nobody else learns about a token, whatever the node has in memory: ${format}`, async () => {
    const setup = await machineSetup(admin, { token_format: format })
    const other = await machineSetup(admin, { token_format: format })
    const { application, machine } = setup
    const sibling = await admin.resource(application.id)
    const terms = {
      application_id: application.id,
      type: 'resource_server',
      resources: [sibling.id],
      name: 'Other API',
    }
    const neighbour = await admin.client(terms)
    const { secret } = await other.application.create()
    const inactive = async (by: MadeClient, token: string, more = {}) =>
      assert.equal((await introspect(by, token, more)).text, '{"active":false}')
    const rejected = async (token: string, resource: string, by?: string) =>
      assert.equal((await validate(token, resource, by)).json.code, 'INVALID_CREDENTIAL')
    const strangers: Record<string, (token: string) => Promise<unknown>> = {
      'the API of another application': (token) => inactive(other.server, token),
      'another API of the application': (token) => inactive(neighbour, token),
      'another machine': (token) => inactive(other.machine, token),
      'a short introspection': (token) => inactive(other.server, token, { minimal: 'true' }),
      'the bridge for another API': (token) => rejected(token, other.api.identifier),
      'the back end of another application': (token) => rejected(token, setup.api.identifier, secret),
    }
    for (const [at, [state, prepare]] of Object.entries(states).entries()) {
      for (const [stranger, ask] of Object.entries(strangers)) {
        const token = await tokenOf(app, machine)
        await prepare(setup, token)
        // Twice, because the first use may change the state.
        for (const times of ['first', 'second'])
          await ask(token).catch((error) => assert.fail(`${stranger}, ${times}: the token ${state}: ${error.message}`))
        await readAs(setup, token)
        await inactive(other.server, token)
      }
      const token = await tokenOf(app, machine)
      await prepare(setup, token)
      assert.equal(await sourceOf(setup, token), sources[at], `the token ${state}`)
    }
  })
}
