import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectDatabase } from '../../src/db/connect.ts'
import { setMark } from '../../src/db/installation-marks.ts'
import { openWorkplace } from '../cli/run-command.ts'
import {
  loginAt,
  needsPostgres,
  newDatabase,
  newDeployment,
  registerAt,
  type TestDatabase,
  validateAt,
} from '../nodes/nodes.ts'
import { startService } from '../support/child.ts'

test('data moves to a server and back, and users stay signed in', needsPostgres, async (t) => {
  const { run, runProcess, directory } = await openWorkplace(t)
  const database = await newDatabase()
  t.after(() => database.drop())
  const { to, PGPASSWORD } = withoutPassword(database.url)
  const deployment = { ...newDeployment(), PGPASSWORD }
  const first = { ...deployment, DATA_DIR: join(directory, 'first') }
  const service = await startService(first)
  t.after(() => service.kill())
  const ada = await registerAt(service.url)

  const busy = await run(['move', '--to', to], { env: first })
  assert.match(busy.stderr, /has it open(.|\n)*Stop the service/)
  await service.stop()
  const moved = await runProcess(['move', '--to', to], { env: first })
  assert.equal(moved.code, 0, moved.stderr)
  assert.match(
    moved.stdout,
    /Each table equals its original\.\nUsers stay signed in\.(.|\n)*Set DATABASE_URL to the new database/,
  )
  assert.match((await runProcess(['start'], { env: first })).stderr, /was moved to the database .*wardenry move --undo/)

  const second = { ...deployment, DATA_DIR: first.DATA_DIR, DATABASE_URL: database.url }
  const onServer = await startService(second)
  t.after(() => onServer.kill())
  assert.equal((await validateAt(onServer.url, ada.sessionToken)).status, 200)
  const back = ['move', '--to', join(directory, 'third')]
  assert.match((await run(back, { env: second })).stderr, /service is running on this database\. Stop all nodes/)
  await onServer.stop()
  const client = await database.connect()
  await client.query("BEGIN; UPDATE users SET name = 'X' WHERE false")
  assert.match((await run(back, { env: second })).stderr, /service is running on this database/)
  await client.query('ROLLBACK')
  const returned = await run(back, { env: second })
  assert.equal(returned.code, 0, returned.stderr)
  assert.match((await run(back, { env: second })).stderr, /was moved to the data directory/)
  const onThird = await startService({ ...deployment, DATA_DIR: join(directory, 'third') })
  t.after(() => onThird.kill())
  assert.equal((await validateAt(onThird.url, ada.sessionToken)).status, 200)

  assert.match((await run(['move', '--undo'], { env: first })).stderr, /Add --yes to confirm/)
  const undone = await runProcess(['move', '--undo', '--yes'], { env: first })
  assert.equal(undone.code, 0, undone.stderr)
  assert.match(undone.stdout, /use this database again\.\nEnded 1 sessions/)
  const original = await startService(first)
  t.after(() => original.kill())
  assert.equal((await validateAt(original.url, ada.sessionToken)).status, 401)

  await client.query('UPDATE users SET name = name').then(
    () => assert.fail('the original accepts writes'),
    ({ message }) => assert.match(message, /was moved/),
  )
  const kept = await run(['move', '--undo', '--yes', '--keep-sessions'], { env: second })
  assert.equal(kept.code, 0, kept.stderr)
  assert.match(kept.stdout, /Users stay signed in, even where/)
  const again = await startService(second)
  t.after(() => again.kill())
  assert.equal((await validateAt(again.url, ada.sessionToken)).status, 200)
  const { rows } = await client.query(
    "SELECT event, actor_role, details->>'sessions' AS sessions FROM audit_events WHERE event LIKE '%move%' ORDER BY id",
  )
  assert.deepEqual(
    rows.map(({ event, actor_role, sessions }) => [event, actor_role, sessions]),
    [
      ['data_moved', 'command_line', null],
      ['data_moved', 'command_line', null],
      ['move_undone', 'command_line', 'kept'],
    ],
  )
})

test('an interrupted move is completed by the same command, in both directions', needsPostgres, async (t) => {
  const { run, runProcess, directory } = await openWorkplace(t)
  const database = await newDatabase()
  t.after(() => database.drop())
  const { to, PGPASSWORD } = withoutPassword(database.url)
  const embedded = { ...newDeployment(), PGPASSWORD, DATA_DIR: join(directory, 'first') }
  const server = { ...embedded, DATABASE_URL: database.url }
  const service = await startService(embedded)
  t.after(() => service.kill())
  const ada = await registerAt(service.url)
  await service.stop()

  const toServer = ['move', '--end-sessions', '--to', to]
  // Makes creating the job queue fail after the data has been moved.
  await database.query('CREATE SCHEMA jobs CREATE TABLE version (wrong text)')
  // The job queue that could not be created would go on polling in a process that runs further commands.
  const failed = await runProcess(toServer, { env: embedded })
  assert.equal(failed.code, 1, failed.stdout)
  assert.match((await runProcess(['start'], { env: embedded })).stderr, /was moved to/)
  assert.match(
    (await runProcess(['start'], { env: server })).stderr,
    /was not completed(.|\n)*same "wardenry move" command/,
  )
  await database.query('DROP SCHEMA jobs CASCADE')
  const completed = await run(toServer, { env: embedded })
  assert.equal(completed.code, 0, completed.stderr)
  assert.match(completed.stdout, /Completed the earlier move to the database(.|\n)*All sessions have ended/)
  const onServer = await startService(server)
  t.after(() => onServer.kill())
  assert.equal((await validateAt(onServer.url, ada.sessionToken)).status, 401)
  const signedIn = await loginAt(onServer.url, ada)
  await onServer.stop()

  const third = join(directory, 'third')
  const back = ['move', '--to', third]
  assert.equal((await run(back, { env: server })).code, 0)
  await markAsMoving(third, database)
  const returned = { ...embedded, DATA_DIR: third }
  assert.match((await runProcess(['start'], { env: returned })).stderr, /was not completed/)
  const completedAgain = await run(back, { env: server })
  assert.equal(completedAgain.code, 0, completedAgain.stderr)
  const onThird = await startService(returned)
  t.after(() => onThird.kill())
  assert.equal((await validateAt(onThird.url, signedIn.json.sessionId)).status, 200)
  await onThird.stop()
  assert.match((await run(back, { env: server })).stderr, /was moved to the data directory/)
})

function withoutPassword(address: string): { to: string; PGPASSWORD: string } {
  const url = new URL(address)
  const PGPASSWORD = decodeURIComponent(url.password)
  url.password = ''
  return { to: url.href, PGPASSWORD }
}

/** Marks the database as if a move had been killed before completing. */
async function markAsMoving(dataDir: string, { query }: TestDatabase): Promise<void> {
  const [row] = await query<{ value: string }>("SELECT value FROM installation_facts WHERE fact = 'unusable_moved'")
  const id = /\(copy (.*)\)$/.exec(row?.value ?? '')?.[1] ?? ''
  const target = await connectDatabase({ url: undefined, poolMax: 1, dataDir, archive: undefined, onDown: () => {} })
  await setMark(target.db, 'moving', id)
  await target.close()
}
