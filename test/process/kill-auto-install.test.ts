import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '../../src/lib/time.ts'
import { needsPostgres, newDatabase, newDeployment, type TestDatabase } from '../nodes/nodes.ts'
import { launchService, startService } from '../support/child.ts'
import { killRounds } from './journal.ts'

/** On an idle machine, starting takes one or two seconds. PostgreSQL detects a closed connection immediately. */
const startLimit = 30 * second

type Settings = Record<string, string>

/** Starts the service, kills it when `isDue` resolves, and starts it again. Returns how long the second start took. */
async function killAndStartAgain(settings: Settings, isDue: () => Promise<unknown>): Promise<number> {
  const doomed = await launchService(settings)
  await isDue()
  await doomed.kill()
  const started = performance.now()
  const next = await startService(settings)
  const duration = performance.now() - started
  assert.equal((await fetch(`${next.url}/health/ready`)).status, 200)
  assert.equal(await next.stop(), 0)
  return duration
}

function report(t: TestContext, durations: number[]): void {
  const longest = Math.max(...durations)
  t.diagnostic(`${durations.length} kills, ready again after ${Math.round(longest)} ms at most`)
  assert.ok(longest < startLimit, `${longest} ms`)
}

describe(`after a kill during MODULES_AUTO_INSTALL, the next of ${killRounds} starts is ready`, () => {
  test('on a PostgreSQL server', needsPostgres, async (t) => {
    const durations: number[] = []
    for (let round = 0; round < killRounds; round++) {
      const database = await newDatabase()
      const settings = { ...newDeployment(), DATABASE_URL: database.url, MODULES_AUTO_INSTALL: 'all' }
      const isDue = async () => {
        await firstLock(database)
        await sleep(Math.random() * 400)
      }
      durations.push(await killAndStartAgain(settings, isDue))
      await database.drop()
    }
    report(t, durations)
  })

  test('on the embedded database', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'wardenry-kill-'))
    t.after(() => rm(directory, { recursive: true, force: true }))
    const settings = () => ({
      ...newDeployment(),
      DATA_DIR: join(directory, randomUUID()),
      MODULES_AUTO_INSTALL: 'all',
    })
    const started = performance.now()
    await (await startService(settings())).stop()
    const usual = performance.now() - started
    const durations: number[] = []
    for (let round = 0; round < killRounds; round++) {
      durations.push(await killAndStartAgain(settings(), () => sleep(Math.random() * usual)))
    }
    report(t, durations)
  })
})

/** Resolves once the first installation has acquired its lock. */
async function firstLock(database: TestDatabase): Promise<void> {
  for (const end = performance.now() + startLimit; ; await sleep(2)) {
    const locks = await database.query('SELECT FROM module_hub_locks').catch(() => [])
    if (locks.length > 0) return
    assert.ok(performance.now() < end, 'no module was installed')
  }
}
