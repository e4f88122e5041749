import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { call, loginAt, needsPostgres, newDatabase, newDeployment, registerAt, validateAt } from '../nodes/nodes.ts'
import { startService } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import { skipWithoutPostgres, startPostgres, unprivilegedOwner } from '../support/postgres.ts'

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

/** A server whose database is on the small disk. Its log is elsewhere, so only adding rows fails on a full disk. */
async function startServerOnSmallDisk(t: TestContext): Promise<string> {
  const server = await startPostgres()
  t.after(() => server.stop())
  const owner = unprivilegedOwner()!
  const place = join(small!, 'tablespace')
  mkdirSync(place)
  chmodSync(small!, 0o755)
  chownSync(place, owner.uid, owner.gid)
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query(`CREATE TABLESPACE small LOCATION '${place}'`)
  await client.query('CREATE DATABASE wardenry TABLESPACE small')
  await client.end()
  return Object.assign(new URL(server.url), { pathname: '/wardenry' }).href
}

test('a node whose PostgreSQL server has no disk left is not ready, and goes on validating sessions', {
  skip: needsSmallDisk.skip || skipWithoutPostgres(),
}, async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'wardenry-data-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const { url, untilReady } = await startOnSmallDisk(t, {
    DATABASE_URL: await startServerOnSmallDisk(t),
    DATA_DIR: dataDir,
  })
  const ada = await registerAt(url)
  await untilReady(200, {})
  fill(small!, megabyte / 16)
  await untilReady(503, { database: 'degraded' })
  await eventually(async () => /^wardenry_database_writable 0$/m.test(await (await fetch(`${url}/metrics`)).text()))
  assert.equal((await call(`${url}/health/live`)).status, 200)
  assert.equal((await validateAt(url, ada.sessionToken)).status, 200)
  rmSync(join(small!, 'filler'))
  await untilReady(200, {})
  assert.equal((await loginAt(url, ada)).status, 200)
})
