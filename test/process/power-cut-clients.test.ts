import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openEmbedded } from '../../src/db/embedded/open.ts'
import { cutPower, type PowerCut, powerCuts, seed } from '../power-cut/cuts.ts'
import { recordWorkload } from '../power-cut/record.ts'
import { readTrace } from '../power-cut/trace.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const clients = 6
const steps = 40

interface Entry {
  kind: string
  client: number
  step: number
  at: number
}

test(`after ${powerCuts} power cuts, the embedded database holds what simultaneous clients have committed or seen`, async (t) => {
  const directory = temporaryDirectory('power-cut-clients')
  const { recording, journal } = await recordWorkload(directory, 'clients.ts', String(clients), String(steps))
  const entries = journal.map(([kind = '', ...numbers]): Entry => {
    const [client = 0, step = 0, at = 0] = numbers.map(Number)
    return { kind, client, step, at }
  })
  const first = entries[0]!.at
  const syncs = [...readTrace(recording.trace)].filter(({ change, end }) => end > first && change.kind === 'sync')
  t.diagnostic(`${clients * steps} transactions, ${syncs.length} syncs, seed ${seed}`)
  await cutPower(recording, { count: powerCuts, into: directory }, (cut) => assertKept(cut, entries))
})

async function assertKept({ directory, at, name }: PowerCut, entries: readonly Entry[]): Promise<void> {
  const known = entries.filter((entry) => entry.at <= at)
  if (known.length === 0) return
  const database = await openEmbedded({ dataDir: join(directory, 'data'), archive: undefined }).catch((error) =>
    assert.fail(`${name}: ${error}`),
  )
  try {
    const found = await database.query<{ client: number; step: number; notes: string }>(
      `SELECT client, p.step, coalesce(string_agg(n.step::text, ' ' ORDER BY n.step), '') AS notes
       FROM progress p LEFT JOIN notes n USING (client) GROUP BY client, p.step ORDER BY client`,
    )
    assert.equal(found.length, clients, name)
    for (const { client, step, notes } of found) {
      const own = known.filter((entry) => entry.client === client)
      const latest = (all: Entry[]) => Math.max(...all.map((entry) => entry.step))
      const committed = latest(own.filter(({ kind }) => kind === 'committed'))
      const told = `${name}: client ${client} is at ${step}, ${committed} is acknowledged, ${latest(own)} was seen`
      assert.ok(step >= latest(own) && step <= committed + 1, told)
      assert.equal(notes, Array.from({ length: step }, (_, index) => index + 1).join(' '), name)
    }
  } finally {
    await database.close()
  }
}
