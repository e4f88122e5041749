import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openEmbedded } from '../../src/db/embedded/open.ts'
import { newDeployment } from '../nodes/nodes.ts'
import { startService } from '../support/child.ts'
import { assertKept, halfDone, keepBusy, killRounds, newJournal } from './journal.ts'

const rounds = killRounds

test(`killed ${rounds} times under load, the embedded database loses nothing and opens again by itself`, async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'wardenry-kill-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const settings = { ...newDeployment(), DATA_DIR: dataDir }
  const journal = newJournal()
  const opened: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const service = await startService(settings)
    if (round > 0) opened.push(performance.now() - started)
    await assertKept(service.url, journal)
    const load = keepBusy(service.url, journal)
    await load.acknowledged(1 + Math.floor(Math.random() * 12))
    await service.kill()
    await load.stop()
  }
  const last = await startService(settings)
  await assertKept(last.url, journal)
  assert.equal(await last.stop(), 0)

  const embedded = await openEmbedded({ dataDir, archive: undefined })
  t.after(() => embedded.close())
  for (const [what, question] of Object.entries(halfDone)) assert.deepEqual(await embedded.query(question), [], what)
  const users = (await embedded.query<{ email: string }>('SELECT email FROM users')).map(({ email }) => email)
  assert.deepEqual(
    journal.emails.filter((email) => !users.includes(email)),
    [],
  )
  opened.sort((left, right) => left - right)
  const [middle, longest] = [opened[Math.floor(opened.length / 2)]!, opened.at(-1)!]
  t.diagnostic(
    `${rounds} kills, ${journal.emails.length} registrations, ${journal.open.size + journal.ended.length} sessions, 0 lost`,
  )
  t.diagnostic(`answers again after ${Math.round(middle)} ms, ${Math.round(longest)} ms at most`)
  assert.ok(middle < 20_000)
})
