import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { type Oracle, type OracleSetup, startOracle } from './oracle.ts'
import { allowedDifferences, differencesOf } from './oracle-differences.ts'
import { oracleRequests } from './oracle-requests.ts'
import { issuedBy, oracleSide, ourSide, type Side, sendTo } from './oracle-sides.ts'
import { machineSetup, oauthAdmin, oauthEnv, oauthModules } from './support.ts'

/** The setups have opaque tokens, because `oidc-provider` cannot introspect its JWTs. */
const formats = ['opaque', 'opaque', 'jwt'] as const
const seed = Number(process.env.ORACLE_SEED ?? 5)

let app: TestApp
let oracle: Oracle
let setups: OracleSetup[]
let ours: Side
let theirs: Side
before(async () => {
  app = await startTestApp({ modules: oauthModules, env: oauthEnv })
  const admin = await oauthAdmin(app)
  setups = []
  for (const token_format of formats) {
    const setup = await machineSetup(admin, { token_format })
    setups.push({ ...setup, api: { ...setup.api, token_format } })
  }
  oracle = await startOracle(setups)
  ours = ourSide(app)
  theirs = oracleSide(oracle)
})
after(async () => {
  await oracle?.stop()
  await app.stop()
})

test('generated requests are answered as by oidc-provider, except for the differences that are named', async () => {
  const [setup, stranger] = setups
  assert.ok(setup && stranger)
  const unseen = new Set(Object.keys(allowedDifferences))
  const unexpected: string[] = []
  for (const request of fc.sample(oracleRequests, { numRuns: 120, seed })) {
    const [we, they] = [
      await sendTo(ours, [setup, stranger], request),
      await sendTo(theirs, [setup, stranger], request),
    ]
    for (const line of differencesOf(we, they)) {
      const allowing = Object.entries(allowedDifferences).filter(
        ([, allowed]) => allowed.lines.test(line) && (allowed.if?.(request, we) ?? true),
      )
      for (const [name] of allowing) unseen.delete(name)
      if (allowing.length === 0)
        unexpected.push(`${line}: ${JSON.stringify({ request, ours: we.json, theirs: they.json })}`)
    }
  }
  assert.deepEqual(unexpected, [], `repeat: ORACLE_SEED=${seed}`)
  if (process.env.ORACLE_SEED === undefined) assert.deepEqual([...unseen], [], 'allowed, but never seen')
})

test('JWTs have the header and the claims of those of oidc-provider', async () => {
  const namesIn = async (side: Side) => {
    const token = await issuedBy(side, setups[2]!.machine)
    const [header, claims] = token.split('.').map((part) => Object.keys(jsonIn(part)).toSorted())
    return { header, claims }
  }
  const [we, they] = [await namesIn(ours), await namesIn(theirs)]
  // Without scope, a token has all scopes of the client here, and none there.
  assert.deepEqual(we, { ...they, claims: [...(they.claims ?? []), 'scope'].toSorted() })
})

const jsonIn = (part: string): object => {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return {}
  }
}
