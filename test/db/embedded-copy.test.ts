// Setup: embedded database
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openEmbedded } from '../../src/db/embedded/open.ts'

const rounds = 5

test('a copy that is made during writes contains all writes up to one moment', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'wardenry-copy-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  const original = await openEmbedded({ dataDir: join(directory, 'data'), archive: undefined })
  t.after(() => original.close())
  await original.exec(`CREATE TABLE notes (id integer PRIMARY KEY, words text);
    CREATE INDEX ON notes (words); CREATE TABLE pairs (id integer PRIMARY KEY)`)
  let written = 0
  const write = async () => {
    written++
    await original.exec(`BEGIN; INSERT INTO notes VALUES (${written}, repeat(md5('${written}'), 30));
      INSERT INTO pairs VALUES (${written}); COMMIT`)
  }
  for (let round = 0; round < rounds; round++) {
    await write()
    const before = written
    const copying = original.copyTo(join(directory, `copy${round}`, 'postgres'))
    let isCopied = false
    copying.finally(() => {
      isCopied = true
    })
    while (!isCopied) await write()
    await copying
    const copy = await openEmbedded({ dataDir: join(directory, `copy${round}`), archive: undefined })
    const [found] = await copy.query<{ notes: number; pairs: number; last: number; sound: boolean }>(`
      SELECT (SELECT count(*)::int FROM notes) AS notes, (SELECT count(*)::int FROM pairs) AS pairs,
        (SELECT max(id) FROM notes) AS last, (SELECT bool_and(words = repeat(md5(id::text), 30)) FROM notes) AS sound`)
    await copy.close()
    assert.ok(found && found.notes > before, 'writes during the copy are part of it')
    assert.ok(found.notes <= written)
    assert.deepEqual([found.pairs, found.last, found.sound], [found.notes, found.notes, true])
  }
})

test('a database in memory has no files to copy', async (t) => {
  const embedded = await openEmbedded({ dataDir: undefined, archive: undefined })
  t.after(() => embedded.close())
  await assert.rejects(embedded.copyTo('/nowhere'), /has no files/)
})
