import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { linesOf } from '../import/support.ts'
import { databaseServer, migratedDatabase, needsPostgres, newDeployment } from '../nodes/nodes.ts'
import { eventually } from '../support/eventually.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { freePort } from '../support/free-port.ts'
import { openWorkplace } from './run-command.ts'

const rows = 3_000
const noticeLine = /^The database does not answer \(.+\)\. Trying again\.$/gm

test(
  'an import continues after lost and slow connections, and prints no log lines between its own',
  needsPostgres,
  async (t) => {
    const { runProcess, directory, dataDir } = await openWorkplace(t)
    const database = await migratedDatabase()
    t.after(database.drop)
    const proxy = await startFaultProxy(Number(new URL(databaseServer).port))
    t.after(proxy.stop)
    const path = join(directory, 'old.jsonl')
    await writeFile(path, linesOf(Array.from({ length: rows }, (_, row) => ({ email: `u${row}@example.com` }))))
    // The first batch waits for this lock, so that its transaction is open when the connections are lost.
    const holder = await database.connect()
    await holder.query('BEGIN; LOCK TABLE users IN SHARE MODE')

    const env = { ...newDeployment(), DATA_DIR: dataDir, DATABASE_URL: proxy.through(database.url) }
    const running = runProcess(['user', 'import', path, '--from', 'wardenry', '--run'], { env })
    await eventually(async () => {
      const waiting = await database.query(`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'INSERT INTO "users"%'`)
      return waiting.length > 0
    })
    proxy.cut()
    await holder.query('COMMIT')
    proxy.heal()
    // Longer than the limit for opening a connection.
    proxy.latency(2_500)
    await fixedWait(4_000, 'the import must fail to open connections')
    proxy.heal()

    const { code, stdout, stderr } = await running
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^imported +3,000$/m)
    assert.doesNotMatch(stderr, /^\{/m)
    // Work that fails after other work has succeeded again counts as another outage.
    const notices = stderr.match(noticeLine) ?? []
    assert.ok(notices.length === 1 || notices.length === 2, stderr)
    const [{ users } = {}] = await database.query<{ users: number }>('SELECT count(*)::int AS users FROM users')
    assert.equal(users, rows)
  },
)

test('an import says that it tries again to open the database, and then why it gives up', needsPostgres, async (t) => {
  const { runProcess, directory, dataDir } = await openWorkplace(t)
  const path = join(directory, 'old.jsonl')
  await writeFile(path, linesOf([{ email: 'ada@example.com' }]))
  const url = `postgres://nobody@127.0.0.1:${await freePort()}/none`
  const env = { ...newDeployment(), DATA_DIR: dataDir, DATABASE_URL: url }
  const { code, stderr } = await runProcess(['user', 'import', path, '--from', 'wardenry', '--run'], { env })
  assert.equal(code, 1)
  assert.equal(stderr.match(noticeLine)?.length, 1, stderr)
  assert.match(stderr, /check DATABASE_URL \(connect ECONNREFUSED/)
})
