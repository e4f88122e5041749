// Setup: alone
// Compares durations.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { chanceSlower, median } from '../../support/samples.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { askToken, type MadeClient, machineSetup, oauthAdmin, oauthEnv, oauthModules } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: oauthModules, env: oauthEnv })
})
after(() => app.stop())

test('the time of a rejection does not tell whether a client exists or is disabled', async (t) => {
  const admin = await oauthAdmin(app)
  const { machine } = await machineSetup(admin)
  const { machine: disabled } = await machineSetup(admin)
  await admin.update(disabled.clientId, { enabled: false })
  const kinds: Record<'wrong' | 'unknown' | 'disabled', MadeClient> = {
    wrong: { ...machine, secret: 'wrong' },
    unknown: { clientId: 'nobody', secret: machine.secret },
    disabled,
  }
  const samples: Record<keyof typeof kinds, number[]> = { wrong: [], unknown: [], disabled: [] }
  const names = Object.keys(kinds) as (keyof typeof kinds)[]
  for (let round = 0; round < 320; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const begun = performance.now()
      const { status, json } = await askToken(app, kinds[name])
      const time = performance.now() - begun
      assert.deepEqual([status, json.error], [401, 'invalid_client'])
      // The first rounds are not counted.
      if (round >= 20) samples[name].push(time)
    }
  }
  for (const other of ['unknown', 'disabled'] as const) {
    const [known, strange] = [median(samples.wrong), median(samples[other])]
    const probability = chanceSlower(samples.wrong, samples[other])
    t.diagnostic(
      `${other}: ${strange.toFixed(2)} ms, wrong: ${known.toFixed(2)} ms, slower in ${probability.toFixed(3)}`,
    )
    assert.ok(Math.abs(known - strange) < Math.max(0.5, 0.1 * known), `${other}: ${strange} ms, wrong: ${known} ms`)
    assert.ok(Math.abs(probability - 0.5) < 0.15, `wrong secrets are slower than ${other} in ${probability} of pairs`)
  }
})
