// Setup: embedded database
import assert from 'node:assert/strict'
import { chownSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readEnvironment } from '../../src/cli/environment.ts'
import { openContext } from '../../src/cli/open-app.ts'
import { setMark } from '../../src/db/installation-marks.ts'
import { startService } from '../support/child.ts'
import { openInstallation } from './installation.ts'
import { openWorkplace } from './run-command.ts'
import { ada, password } from './users.ts'

test('a backup is refused where there is no database', async (t) => {
  const { run, directory } = await openWorkplace(t)
  const { code, stderr } = await run(['backup', 'b'], { env: { DATA_DIR: join(directory, 'nothing') } })
  assert.equal(code, 1)
  assert.match(stderr, /There is no database in .*nothing: set DATA_DIR or DATABASE_URL/)
  assert.equal(existsSync(join(directory, 'b')), false)
  assert.equal(existsSync(join(directory, 'b.partial')), false)
})

const asRoot = { skip: process.getuid?.() !== 0 && 'skipped: only root can give files to another user' }

test('a user who does not own the database is refused, and leaves no file behind', asRoot, async (t) => {
  const { run, at, env } = await openInstallation(t)
  const owner = 12345
  const everything = () => readdirSync(env.DATA_DIR, { recursive: true, encoding: 'utf8' })
  for (const name of ['', ...everything()]) chownSync(join(env.DATA_DIR, name), owner, owner)
  const commands = [
    ['backup', 'b'],
    ['move', '--to', at('new')],
    ['move', '--undo', '--yes'],
    ['user', 'list'],
  ]
  for (const args of commands) {
    const { code, stderr } = await run(args, { env })
    assert.equal(code, 1, args.join(' '))
    assert.match(stderr, /Run this command as the user that runs the service \(user id 12345\), who owns .*postgres/)
  }
  assert.deepEqual(
    everything().filter((name) => statSync(join(env.DATA_DIR, name)).uid !== owner),
    [],
  )
})

test('a restore names the file that it cannot read', async (t) => {
  const { run, dataDir } = await openWorkplace(t)
  const { code, stderr } = await run(['restore', 'abs\u001b[2J\u0007ent'], { env: { DATA_DIR: dataDir } })
  assert.equal(code, 1)
  assert.match(stderr, /'absent'/, 'without characters that control the terminal')
})

test('a restore or move into a directory with data is refused, and changes nothing', async (t) => {
  const { run, env, settings } = await openInstallation(t)
  assert.equal((await run(['backup', 'b'], { env })).code, 0)
  const { code, stderr } = await run(['restore', 'b'], { env })
  assert.equal(code, 1)
  assert.match(stderr, /The database is not empty/)
  assert.match((await run(['user', 'list'], { env })).stdout, /ada@example\.com/)
  assert.match((await run(['move', '--to', env.DATA_DIR], { env: settings('nothing') })).stderr, /There is no database/)
  assert.match((await run(['move'], { env })).stderr, /either --to or --undo/)
})

test('a database that another command has open is backed up with a record, and never during a restore', async (t) => {
  const { run, env } = await openInstallation(t)
  const environment = await readEnvironment('command', env)
  const { ctx, close } = await openContext(environment, '')
  t.after(close)
  assert.equal((await run(['backup', 'b'], { env })).code, 0)
  const { rows } = await sql`SELECT actor_role FROM audit_events WHERE event = 'backup_started'`.execute(ctx.db)
  assert.deepEqual(rows, [{ actor_role: 'command_line' }])

  await setMark(ctx.db, 'restore', 'some backup')
  const { code, stderr } = await run(['backup', 'c'], { env })
  assert.equal(code, 1)
  assert.match(stderr, /not completely restored/)
  assert.deepEqual(
    readdirSync(env.DATA_DIR).filter((name) => name.startsWith('copy-')),
    [],
  )
})

test('the backup of a service is recorded in its audit trail', async (t) => {
  const { run, env } = await openInstallation(t)
  const service = await startService(env)
  t.after(() => service.kill())
  assert.equal((await run(['backup', 'b'], { env })).code, 0)
  const login = await fetch(`${service.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ada, password }),
  })
  const { sessionId } = (await login.json()) as { sessionId: string }
  const reply = await fetch(`${service.url}/auth/admin/audit?event=backup_started`, {
    headers: { 'x-session-id': sessionId },
  })
  const { data } = (await reply.json()) as { data: { events: { actor_role: string }[] } }
  assert.deepEqual(
    data.events.map(({ actor_role }) => actor_role),
    ['command_line'],
  )
})
