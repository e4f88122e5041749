import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { connectDatabase } from '../../src/db/connect.ts'
import {
  askToken,
  basic,
  machineSetup,
  type OAuthAdmin,
  oauthAdmin,
  oauthEnv,
  oauthModules,
  postForm,
} from '../modules/oauth/support.ts'
import { needsPostgres } from '../nodes/nodes.ts'
import { eventually } from '../support/eventually.ts'
import { raceRounds } from '../support/races.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

describe('tokens of two nodes', needsPostgres, () => {
  let one: TestApp
  let other: TestApp
  let admin: OAuthAdmin
  before(async () => {
    one = await startTestApp({ modules: oauthModules, env: oauthEnv })
    const { DATABASE_URL: url = '' } = one.ctx.config
    const options = { url, poolMax: 10, dataDir: undefined, archive: undefined, onDown: () => {} }
    const env = { ...oauthEnv, DATABASE_URL: url }
    other = await startTestApp({ env, database: await connectDatabase(options), clock: one.clock })
    admin = await oauthAdmin(one)
  })
  after(async () => {
    await other?.stop()
    await one?.stop()
  })

  for (const format of ['jwt', 'opaque']) {
    test(`no token that was issued while its client was disabled is ever accepted: ${format}`, async () => {
      const setup = await machineSetup(admin, { token_format: format })
      const { machine, server, account } = setup
      const isActive = async (node: TestApp, token: string): Promise<boolean> =>
        (await postForm(node, '/oauth/introspect', { token }, basic(server))).json.active
      const enable = (enabled: boolean) => admin.update(machine.clientId, { enabled })
      const ofAccount = (enabled: boolean) =>
        admin.call('PUT', `/auth/admin/service-accounts/${account.id}`, { enabled })
      for (let round = 0; round < raceRounds(10); round++) {
        const change = round % 2 === 0 ? enable : ofAccount
        const [replies] = await Promise.all([
          Promise.all(Array.from({ length: 8 }, (_, at) => askToken(at % 2 === 0 ? one : other, machine))),
          change(false),
        ])
        const tokens = replies.flatMap(({ status, json }) => (status === 200 ? [json.access_token as string] : []))
        for (const { status, json } of replies)
          assert.ok(status === 200 || (status === 401 && json.error === 'invalid_client'), JSON.stringify(json))
        for (const token of tokens) assert.equal(await isActive(one, token), false, 'at once on the node of the change')
        // The other node hears of it within a second.
        for (const token of tokens) await eventually(async () => !(await isActive(other, token)))
        await change(true)
        for (const token of tokens)
          for (const node of [one, other]) assert.equal(await isActive(node, token), false, 'nothing is revived')
        await eventually(async () => (await askToken(other, machine)).status === 200)
      }
    })
  }

  test('a token that is revoked on one node while the other one asks about it is rejected by both', async () => {
    const { machine, server } = await machineSetup(admin)
    const ask = (node: TestApp, token: string) => postForm(node, '/oauth/introspect', { token }, basic(server))
    for (let round = 0; round < raceRounds(10); round++) {
      const token = (await askToken(one, machine)).json.access_token
      const [, , revoked] = await Promise.all([
        ask(one, token),
        ask(other, token),
        postForm(other, '/oauth/revoke', { token }, basic(machine)),
      ])
      assert.equal(revoked.status, 200)
      assert.equal((await ask(other, token)).json.active, false, 'at once on the node of the request')
      await eventually(async () => (await ask(one, token)).json.active === false)
    }
  })
})
