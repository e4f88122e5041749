// Setup: embedded database
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openEmbedded } from '../../src/db/embedded/open.ts'
import { preloadInWorkers } from '../power-cut/preload.ts'
import { readTrace } from '../power-cut/trace.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const directory = temporaryDirectory('embedded-sync')
const [trace, flag] = [join(directory, 'trace'), join(directory, 'broken')]
const helper = (name: string): string => join(import.meta.dirname, '../power-cut', name)
preloadInWorkers(`${helper('recorder.ts')}?root=${directory}&trace=${trace}`)
preloadInWorkers(`${helper('fail-sync.ts')}?flag=${flag}`)

const syncs = (): number => [...readTrace(readFileSync(trace))].filter(({ change }) => change.kind === 'sync').length

// By default, PGlite does not call fsync. The service's file system and settings enable it, which a new version of
// PGlite could break.
test('each commit on the embedded database is one fsync, and a read is none', async (t) => {
  const database = await openEmbedded({ dataDir: join(directory, 'commits'), archive: undefined })
  t.after(() => database.close())
  await database.exec('CREATE TABLE notes (text text)')
  const count = async (work: () => Promise<unknown>): Promise<number> => {
    const before = syncs()
    await work()
    return syncs() - before
  }
  const insert = () => database.query(`INSERT INTO notes VALUES ('moth')`)
  const found: number[] = []
  for (let round = 0; round < 10; round++) found.push(await count(insert))
  assert.deepEqual(found, Array(10).fill(1))
  assert.equal(await count(() => database.query('SELECT * FROM notes')), 0)
  assert.ok((await count(() => database.exec('CHECKPOINT'))) > 1)
})

// Node.js has no name for the second error, EDQUOT.
for (const code of ['EIO', 'Unknown system error -122'])
  test(`a commit whose fsync fails with ${code} is not acknowledged, and nothing acknowledged is lost`, async (t) => {
    const database = await openEmbedded({ dataDir: join(directory, code), archive: undefined })
    t.after(() => database.close())
    const reasons: string[] = []
    database.onExit(({ message }) => reasons.push(message))
    await database.exec('CREATE TABLE notes (text text)')
    await database.query(`INSERT INTO notes VALUES ('before')`)
    writeFileSync(flag, code)
    await assert.rejects(database.query(`INSERT INTO notes VALUES ('during')`))
    rmSync(flag)
    const insert = () => database.query(`INSERT INTO notes VALUES ('after')`)
    await eventually(() =>
      insert().then(
        () => true,
        () => false,
      ),
    )
    const rows = await database.query<{ text: string }>(`SELECT text FROM notes WHERE text <> 'during'`)
    assert.deepEqual(rows, [{ text: 'before' }, { text: 'after' }])
    assert.equal(reasons.length, 1)
  })
