// Setup: alone
// Compares durations.
import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { minute } from '../../../src/lib/time.ts'
import { newOpaqueToken } from '../../../src/modules/oauth/token/token-text.ts'
import { chanceSlower, median } from '../../support/samples.ts'
import { type Reply, startTestApp, type TestApp } from '../../support/test-app.ts'
import {
  askToken,
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
let setup: MachineSetup
let other: MachineSetup
before(async () => {
  app = await startTestApp({ modules: oauthModules, env: { ...oauthEnv, OAUTH_ACCESS_TOKEN_TTL: '24h' } })
  admin = await oauthAdmin(app)
  setup = await machineSetup(admin, { token_format: 'opaque' })
  other = await machineSetup(admin)
})
after(() => app.stop())

type Kinds = Readonly<Record<string, () => Promise<Reply>>>

/** The first kind is compared with the others. The first rounds are not counted. */
async function compareTimes(t: TestContext, rounds: number, kinds: Kinds, check: (reply: Reply) => unknown) {
  const names = Object.keys(kinds)
  const samples = new Map(names.map((name) => [name, [] as number[]]))
  for (let round = -20; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const begun = performance.now()
      const reply = await kinds[name]!()
      const time = performance.now() - begun
      if (round >= 0) samples.get(name)?.push(time)
      await check(reply)
    }
  }
  const [[one = '', ofOne = []] = [], ...others] = [...samples]
  for (const [another, ofAnother] of others) {
    const [known, strange] = [median(ofOne), median(ofAnother)]
    const probability = chanceSlower(ofOne, ofAnother)
    t.diagnostic(
      `${another}: ${strange.toFixed(2)} ms, ${one}: ${known.toFixed(2)} ms, slower in ${probability.toFixed(3)}`,
    )
    // On a busy machine, the medians of equal times differ as well, but neither kind is then slower more often.
    const isClose = Math.abs(known - strange) < Math.max(0.5, 0.1 * known)
    const bound = isClose ? 0.15 : 0.07
    assert.ok(Math.abs(probability - 0.5) < bound, `${one} is slower than ${another} in ${probability} of pairs`)
  }
}

test('the time of a rejection does not tell whether a client without a proof exists', async (t) => {
  const admin = await oauthAdmin(app)
  const { machine } = await machineSetup(admin)
  const ids = { known: machine.clientId, unknown: 'nobody-2' }
  const samples = { known: [] as number[], unknown: [] as number[] }
  const names = ['known', 'unknown'] as const
  for (let round = 0; round < 320; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const begun = performance.now()
      const { status } = await postForm(app, '/oauth/token', { grant_type: 'x', client_id: ids[name] })
      const time = performance.now() - begun
      assert.equal(status, 401)
      if (round >= 20) samples[name].push(time)
    }
  }
  const [known, strange] = [median(samples.known), median(samples.unknown)]
  const probability = chanceSlower(samples.known, samples.unknown)
  t.diagnostic(`unknown: ${strange.toFixed(2)} ms, known: ${known.toFixed(2)} ms, slower in ${probability.toFixed(3)}`)
  assert.ok(Math.abs(known - strange) < Math.max(0.5, 0.1 * known), `unknown: ${strange} ms, known: ${known} ms`)
  assert.ok(Math.abs(probability - 0.5) < 0.15, `known clients are slower than unknown ones in ${probability} of pairs`)
})

test('the time of a rejection does not tell whether a client exists or is disabled', async (t) => {
  const { machine } = setup
  const { machine: disabled } = await machineSetup(admin)
  await admin.update(disabled.clientId, { enabled: false })
  const kinds = {
    wrong: () => askToken(app, { ...machine, secret: 'wrong' }),
    unknown: () => askToken(app, { clientId: 'nobody', secret: machine.secret }),
    disabled: () => askToken(app, disabled),
  }
  await compareTimes(t, 300, kinds, ({ status, json }) =>
    assert.deepEqual([status, json.error], [401, 'invalid_client']),
  )
})

test('the time of a revocation does not tell whether the token of another client is valid', async (t) => {
  const { machine } = setup
  const [valid, revoked] = [await tokenOf(app, machine), await tokenOf(app, machine)]
  await postForm(app, '/oauth/revoke', { token: revoked }, basic(machine))
  const revoke = (token: string) => postForm(app, '/oauth/revoke', { token }, basic(other.machine))
  const kinds = {
    valid: () => revoke(valid),
    revoked: () => revoke(revoked),
    unknown: () => revoke(newOpaqueToken()),
  }
  await compareTimes(t, 100, kinds, ({ status, json }) => {
    assert.deepEqual([status, json], [200, { success: true }])
    // Otherwise, only the first rejection would be recorded, and the record would be part of the next request's time.
    app.clock.advance(minute)
    return app.get('/health/ready')
  })
})
