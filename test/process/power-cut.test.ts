import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded/open.ts'
import { cutPower, type PowerCut, powerCuts, seed } from '../power-cut/cuts.ts'
import { recordWorkload } from '../power-cut/record.ts'
import { stateAfter, stepOf } from '../power-cut/steps.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const steps = 400
const archive = join(import.meta.dirname, '../../build/embedded.tar.gz')

test(`after ${powerCuts} power cuts, the embedded database opens by itself and holds what it has acknowledged`, async (t) => {
  const directory = temporaryDirectory('power-cut')
  const { recording, acknowledged } = await recordSteps(directory)
  await cutPower(recording, { count: powerCuts, into: directory }, (cut) =>
    assertWhole(cut, acknowledged.findLast(({ at }) => at <= cut.at)?.step),
  )
  t.diagnostic(`${acknowledged.length} acknowledged transactions, seed ${seed}`)
})

async function recordSteps(directory: string) {
  const { recording, journal } = await recordWorkload(directory, 'workload.ts', String(steps))
  // Each journal line contains a step and the length of the trace when the step was acknowledged.
  const acknowledged = journal.map(([step, at]) => ({ step: Number(step), at: Number(at) }))
  return { recording, acknowledged }
}

async function assertWhole({ directory, name }: PowerCut, acknowledged: number | undefined): Promise<void> {
  const database = await openEmbedded({ dataDir: join(directory, 'data'), archive }).catch((error) =>
    assert.fail(`${name}: ${error}`),
  )
  try {
    const [created] = await database.query<{ found: boolean }>(`SELECT to_regclass('progress') IS NOT NULL AS found`)
    if (acknowledged === undefined && !created?.found) return
    const [progress] = await database.query<{ step: number }>('SELECT step FROM progress')
    const step = progress?.step ?? Number.NaN
    const possible = [acknowledged ?? 0, nextStep(acknowledged ?? 0)]
    assert.ok(possible.includes(step), `${name}: contains step ${step}, ${acknowledged} is acknowledged`)
    await assertState(database, step, name)
    await database.exec(`BEGIN; INSERT INTO notes VALUES (1000, 'after'); UPDATE progress SET step = step + 1; COMMIT`)
  } finally {
    await database.close()
  }
}

/** Reads all rows. If a page were torn, its checksum would not match. */
async function assertState(database: EmbeddedDatabase, step: number, name: string): Promise<void> {
  const { notes, tables } = stateAfter(step)
  const expected = [...notes].map(([id, text]) => ({ id, text: md5(text) })).sort((a, b) => a.id - b.id)
  for (const table of ['notes', 'copies']) {
    const rows = await database.query(`SELECT id, md5(text) AS text FROM ${table} ORDER BY id`)
    assert.deepEqual(rows, expected, `${name}: ${table} after step ${step}`)
  }
  const found = await database.query<{ relname: string }>(
    `SELECT relname FROM pg_class WHERE relname ~ '^extra_[0-9]+$' ORDER BY relname`,
  )
  const names = found.map(({ relname }) => relname)
  assert.deepEqual(names, [...tables].sort(), `${name}: tables after step ${step}`)
  for (const table of names) await database.query(`SELECT sum(length(text)) FROM ${table}`)
}

/** The number of the next step that is a transaction. */
function nextStep(after: number): number {
  const next = after + 1
  return stepOf(next).isMaintenance ? nextStep(next) : next
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
