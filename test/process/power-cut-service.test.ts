import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openEmbedded } from '../../src/db/embedded/open.ts'
import { bridgeSecret, call, loginAt, registerAt, validateAt } from '../nodes/nodes.ts'
import { cutPower, type PowerCut, powerCuts, type Recording, seed } from '../power-cut/cuts.ts'
import { startService } from '../support/child.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { halfDone } from './journal.ts'

const people = 25
const cuts = Math.ceil(powerCuts / 6)
const recorder = join(import.meta.dirname, '../power-cut/recorder.ts')
/**
 * The other secrets are not set, so the service generates them. The power cuts must not destroy the generated secrets.
 */
const settings = {
  BRIDGE_SECRET: bridgeSecret,
  ARGON2_MEMORY_KIB: '8192',
  ARGON2_TIME: '1',
  MODULES_AUTO_INSTALL: 'two-factor,post-types',
}

test(`after ${cuts} power cuts, the service starts by itself and keeps every user and session`, async (t) => {
  const directory = temporaryDirectory('power-cut-service')
  const { recording, journal } = await recordService(directory)
  await cutPower(recording, { count: cuts, into: directory }, (cut) => assertKept(cut, journal))
  t.diagnostic(`${journal.length} entries of the journal, seed ${seed}`)
})

/** `ending`: the logout was sent but not acknowledged, so the session may have ended. */
interface Entry {
  kind: 'open' | 'ending' | 'ended'
  sessionToken: string
  /** The length of the trace at that time. */
  at: number
}

async function recordService(directory: string): Promise<{ recording: Recording; journal: Entry[] }> {
  const [root, trace] = [join(directory, 'root'), join(directory, 'trace')]
  mkdirSync(root)
  const journal: Entry[] = []
  const note = (kind: Entry['kind'], sessionToken: string) =>
    journal.push({ kind, sessionToken, at: statSync(trace).size })
  const service = await startService({
    ...settings,
    DATA_DIR: join(root, 'data'),
    NODE_OPTIONS: `--import=${recorder}?root=${root}&trace=${trace}`,
  })
  for (let count = 0; count < people; count++) {
    const ada = await registerAt(service.url)
    note('open', ada.sessionToken)
    const { json } = await loginAt(service.url, ada)
    note('open', json.sessionId)
    note('ending', ada.sessionToken)
    const headers = { 'x-session-id': ada.sessionToken }
    assert.equal((await call(`${service.url}/auth/logout`, { method: 'POST', headers })).status, 200)
    note('ended', ada.sessionToken)
  }
  assert.equal(await service.stop(), 0)
  return { recording: { trace: readFileSync(trace), path: root, root: statSync(root).ino }, journal }
}

async function assertKept({ directory, at, name }: PowerCut, journal: readonly Entry[]): Promise<void> {
  const until = journal.filter((entry) => entry.at <= at)
  const tokens = (kind: Entry['kind']) =>
    until.filter((entry) => entry.kind === kind).map((entry) => entry.sessionToken)
  const dataDir = join(directory, 'data')
  const service = await startService({ ...settings, DATA_DIR: dataDir }).catch((error) =>
    assert.fail(`${name}: ${error}`),
  )
  const ending = new Set(tokens('ending'))
  for (const token of tokens('open'))
    if (!ending.has(token)) assert.equal((await validateAt(service.url, token)).status, 200, `${name}: an open session`)
  for (const token of tokens('ended'))
    assert.equal((await validateAt(service.url, token)).status, 401, `${name}: an ended session`)
  await registerAt(service.url)
  assert.equal(await service.stop(), 0)
  const database = await openEmbedded({ dataDir, archive: undefined })
  try {
    for (const [what, query] of Object.entries(halfDone))
      assert.deepEqual(await database.query(query), [], `${name}: ${what}`)
  } finally {
    await database.close()
  }
}
