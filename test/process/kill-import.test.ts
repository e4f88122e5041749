import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, type TestContext, test } from 'node:test'
import { minute } from '../../src/lib/time.ts'
import { commandEnvironment } from '../cli/run-command.ts'
import { needsPostgres, newDatabase, newDeployment, type TestDatabase } from '../nodes/nodes.ts'
import { eventually } from '../support/eventually.ts'

const users = 20_000
/** The import is killed when more than this many users are imported. */
const kills = [0, 5_000, 12_000]

describe('an import of users that is killed', needsPostgres, () => {
  test('continues when it is run again, and imports every user once', { timeout: 5 * minute }, async (t) => {
    const database = await newDatabase()
    t.after(() => database.drop())
    const path = await fileWithUsers(t)
    const settings = { ...newDeployment(), DATABASE_URL: database.url }
    const reached: number[] = []
    for (const count of kills) {
      const run = startImport(path, settings)
      await moreThan(database, count, run)
      run.child.kill('SIGKILL')
      await run.closed
      reached.push(await countUsers(database))
    }
    t.diagnostic(`killed after ${reached.join(', ')} users`)
    assert.ok(reached.every((count) => count % 1_000 === 0 && count < users))
    const last = startImport(path, settings)
    assert.equal(await last.closed, 0, last.output())
    const imported = users - (reached.at(-1) ?? 0)
    assert.match(last.output(), new RegExp(`^imported +${imported.toLocaleString('en-US')}$`, 'm'))
    assert.equal(await countUsers(database), users)
    const found = await database.query(`SELECT
      (SELECT count(DISTINCT email) FROM users)::int AS emails,
      (SELECT count(*) FROM social_accounts)::int AS identities,
      (SELECT sum((details->>'users')::int) FROM audit_events WHERE event = 'users_imported')::int AS audited,
      (SELECT count(DISTINCT target_id) FROM events WHERE type = 'user.created')::int AS created,
      (SELECT count(*) FROM events WHERE type = 'user.created')::int AS events`)
    assert.deepEqual(found, [{ emails: users, identities: users, audited: users, created: users, events: users }])
  })
})

async function fileWithUsers(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'wardenry-import-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'users.jsonl')
  const lines = Array.from({ length: users }, (_, index) => {
    const identities = [{ provider: 'google', subject: String(index) }]
    return `${JSON.stringify({ external_id: `old|${index}`, email: `user.${index}@example.com`, identities })}\n`
  })
  await pipeline(Readable.from(lines), createWriteStream(path))
  return path
}

function startImport(path: string, settings: Record<string, string>) {
  const program = resolve(import.meta.dirname, '../../bin/wardenry.js')
  const child = spawn(process.execPath, [program, 'user', 'import', path, '--from', 'wardenry', '--run'], {
    env: commandEnvironment(settings),
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  const closed = once(child, 'close').then(([code]) => code as number | null)
  return { child, closed, output: () => text }
}

const countUsers = async (database: TestDatabase): Promise<number> => {
  const rows = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM users').catch(() => [])
  return rows[0]?.count ?? 0
}

const moreThan = (database: TestDatabase, count: number, run: ReturnType<typeof startImport>) =>
  eventually(
    async () => {
      assert.equal(run.child.exitCode, null, run.output())
      return (await countUsers(database)) > count
    },
    5 * minute,
    () => `more than ${count} users`,
  )
