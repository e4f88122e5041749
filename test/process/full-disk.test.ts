import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { call, needsPostgres, newDatabase, newDeployment, registerAt, validateAt } from '../nodes/nodes.ts'
import { startService } from '../support/child.ts'

const megabyte = 1024 * 1024

/** A small separate file system. Undefined if this user cannot mount a file system. */
function mountSmall(): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'wardenry-full-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256m,mode=700', 'tmpfs', directory])
  if (status === 0) return directory
  rmdirSync(directory)
  return undefined
}

function unmount(directory: string): void {
  spawnSync('umount', ['-l', directory])
  rmdirSync(directory)
}

/** Fills the file system, except for this many bytes. */
function fill(directory: string, left: number): void {
  const { bavail, bsize } = statfsSync(directory)
  writeFileSync(join(directory, 'filler'), Buffer.alloc(bavail * bsize - left))
}

const small = mountSmall()
process.once('exit', () => small && unmount(small))

type Checks = Record<'database' | 'migrations' | 'store' | 'queue', 'ok' | 'degraded'>

/** A service with its data on the small disk, and a function that waits for a readiness state. */
async function startOnSmallDisk(t: TestContext, settings: Record<string, string> = {}) {
  const service = await startService({ ...newDeployment(), DATA_DIR: small!, ...settings })
  t.after(async () => {
    await service.kill()
    for (const name of readdirSync(small!)) rmSync(join(small!, name), { recursive: true, force: true })
  })
  const untilReady = async (status: number, expected: Partial<Checks>) => {
    const wanted = { database: 'ok', migrations: 'ok', store: 'ok', queue: 'ok', ...expected }
    for (const end = performance.now() + 10_000; ; await sleep(100)) {
      const reply = await call(`${service.url}/health/ready`)
      if (reply.status === status && isDeepStrictEqual(reply.json.checks, wanted)) return
      assert.ok(performance.now() < end, JSON.stringify(reply.json))
    }
  }
  return { url: service.url, untilReady }
}

const needsSmallDisk = { skip: !small && 'skipped: this user may not mount a file system' }

test('a node whose database has no disk left is not ready, and goes on reading', needsSmallDisk, async (t) => {
  const { url, untilReady } = await startOnSmallDisk(t)
  const ada = await registerAt(url)
  await untilReady(200, {})
  fill(small!, 4 * megabyte)
  await untilReady(503, { database: 'degraded', store: 'degraded' })
  assert.equal((await call(`${url}/health/live`)).status, 200)
  assert.equal((await validateAt(url, ada.sessionToken)).status, 200)
  rmSync(join(small!, 'filler'))
  await untilReady(200, {})
})

test('a node on a PostgreSQL server stays ready when only its pictures have no disk left', {
  skip: needsSmallDisk.skip || needsPostgres.skip,
}, async (t) => {
  const database = await newDatabase()
  t.after(database.drop)
  const { untilReady } = await startOnSmallDisk(t, { DATABASE_URL: database.url })
  await untilReady(200, {})
  fill(small!, 4 * megabyte)
  await untilReady(200, { store: 'degraded' })
})
