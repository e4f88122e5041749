// Setup: embedded database
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { newDeployment } from '../nodes/nodes.ts'
import { skipWithoutPostgres, startPostgres } from '../support/postgres.ts'
import { openPlace } from './place.ts'
import { openWorkplace } from './run-command.ts'

test('migrate creates a missing database, and has nothing to do the second time', async (t) => {
  const { run, runProcess, dataDir } = await openWorkplace(t)
  const env = { DATA_DIR: dataDir }
  for (const [time, migrate] of Object.entries({ first: runProcess, second: run })) {
    const { code, stdout, stderr } = await migrate(['migrate'], { env })
    assert.equal(code, 0, `${time}: ${stderr}`)
    assert.match(stdout, /The job queue is ready/)
  }
})

test('migrate lists what it applied, even if startup may not migrate', { skip: skipWithoutPostgres() }, async (t) => {
  const { run, runProcess } = await openWorkplace(t)
  const server = await startPostgres()
  t.after(() => server.stop())
  const env = {
    DATABASE_URL: server.url,
    AUTO_MIGRATE: 'false',
    AUTH_SECRET: 'auth-Zk3vQ8mN1xR6tY9wL4cB7dHs2JfGpVeU',
    DATA_KEYS: `1:${Buffer.alloc(32, 7).toString('base64url')}`,
  }

  const refused = await runProcess(['start'], { env })
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /AUTO_MIGRATE is false: run "wardenry migrate" first/)
  const examined = await run(['doctor'], { env })
  assert.equal(examined.code, 1)
  assert.match(examined.stdout, /✗ Migrations\s+\d+ pending: 001_users\.sql/)

  const first = await run(['migrate'], { env })
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stdout, /Applied:\n {2}001_users\.sql\n/)
  const second = await run(['migrate'], { env })
  assert.match(second.stdout, /The database is up to date/)
})

test('the database of an unreleased revision is refused, and nothing is changed', async (t) => {
  const { run, runProcess, env, query } = await openPlace(t)
  assert.equal((await run(['migrate'], { env })).code, 0)
  const state = () => query('SELECT version, name, checksum FROM schema_migrations ORDER BY version')
  await query("UPDATE schema_migrations SET checksum = 'of another revision' WHERE version = 2")
  await query('DELETE FROM schema_migrations WHERE version = 3')
  const before = await state()
  const rejection =
    'The schema is from an unreleased revision of Wardenry, in which the migration 002_sessions.sql was different: use ' +
    'that revision or an empty database, or restore the file if you changed it. Nothing was executed.\n'
  const started = await runProcess(['start'], { env })
  assert.deepEqual([started.code, started.stderr], [1, rejection])
  for (const args of [['migrate'], ['backup', 'b'], ['module', 'install', 'privacy']]) {
    const { code, stderr } = await run(args, { env })
    assert.equal(code, 1, args.join())
    assert.ok(stderr.includes(rejection), stderr)
  }
  assert.match((await run(['doctor'], { env })).stdout, /✗ Migrations +The schema is from an unreleased revision/)
  assert.deepEqual(await state(), before)
})

const skip = skipWithoutPostgres()
test('a role that may not create the schema is told which GRANT to run, and nothing is changed', {
  skip,
}, async (t) => {
  const { run } = await openWorkplace(t)
  const server = await startPostgres()
  const owner = new pg.Client({ connectionString: server.url })
  await owner.connect()
  t.after(async () => {
    await owner.end()
    await server.stop()
  })
  await owner.query('CREATE ROLE "web app" LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC')
  const env = { ...newDeployment(), DATABASE_URL: Object.assign(new URL(server.url), { username: 'web app' }).href }
  const migrate = () => run(['migrate'], { env })

  const both = await migrate()
  assert.equal(both.code, 1)
  assert.match(both.stderr, /^The database role "web app" may not create the tables/)
  assert.match(both.stderr, / {2}GRANT USAGE, CREATE ON SCHEMA public TO "web app";\n {2}GRANT CREATE ON DATABASE /)
  const examined = await run(['doctor'], { env })
  assert.match(examined.stdout, /✗ Migrations\s+The database role "web app" may not/)
  await owner.query('GRANT CREATE ON SCHEMA public TO "web app"')
  const one = await migrate()
  assert.equal(one.code, 1)
  assert.doesNotMatch(one.stderr, /ON SCHEMA/)
  const { rows } = await owner.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
  assert.deepEqual(rows, [])

  await owner.query(/GRANT CREATE ON DATABASE .*;/.exec(one.stderr)?.[0] ?? '')
  const done = await migrate()
  assert.equal(done.code, 0, done.stderr)
})
