import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { finishMove } from '../../src/backup/finish-move.ts'
import { assertMovable, isCopyNamedBy, moveData } from '../../src/backup/move.ts'
import { undoMove } from '../../src/backup/undo-move.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { Database } from '../../src/db/connect.ts'
import { assertUsable, findMark } from '../../src/db/installation-marks.ts'
import { migrate } from '../../src/db/migrate.ts'
import { prepareJobs } from '../../src/jobs/start.ts'
import { newId } from '../../src/lib/ids.ts'
import { createLogger } from '../../src/lib/log.ts'
import { loaded, openEmpty } from './support.ts'

const config = loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' })
const log = createLogger('silent', [], () => {})
const modules = loaded()

async function openBoth(t: TestContext) {
  const [source, target] = [await openEmpty(t), await openEmpty(t)]
  await migrate(source.db, new Date())
  await prepareJobs(source)
  const move = () => moveData(source, target, { config, modules, targetName: 'there', onProgress: () => {} })
  return { source, target, move }
}

const addUser = ({ db }: Database) =>
  sql`INSERT INTO users (id, email, user_name, created_at, updated_at)
    VALUES (${newId()}, ${`${newId()}@example.com`}, ${newId()}, now(), now())`.execute(db)
const events = async ({ db }: Database) =>
  (await db.selectFrom('audit_events').select('event').orderBy('id').execute()).map(({ event }) => event)
const refused = { code: '57000', message: /was moved/ }

test('after a move, the original refuses writes, and the copy is unusable until the move is completed', async (t) => {
  const { source, target, move } = await openBoth(t)
  await addUser(source)
  await move()
  await assert.rejects(addUser(source), refused)
  await assert.rejects(sql`DELETE FROM outbox`.execute(source.db), refused)
  await assert.rejects(sql`UPDATE jobs.job SET name = name WHERE false`.execute(source.db), refused)
  await assert.rejects(assertUsable(source.db), /was moved to there/)
  await assert.rejects(assertUsable(target.db), /was not completed(.|\n)*same "wardenry move" command/)
  const moved = await findMark(source.db, 'moved')
  assert.equal(await isCopyNamedBy(moved ?? '', target.db), true)
  assert.equal(await isCopyNamedBy(`there (copy ${newId()})`, target.db), false)

  await finishMove({ config, log, modules, database: target, endSessions: true })
  await assertUsable(target.db)
  await addUser(target)
  assert.equal((await events(source)).at(-1), 'data_moved')
  assert.deepEqual((await events(target)).slice(-2), ['data_moved', 'session_ended'])
})

test('a move that cannot mark the original changes nothing and can be repeated', async (t) => {
  const { source, target, move } = await openBoth(t)
  await sql`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''disk full''; END'`.execute(
    source.db,
  )
  await sql`CREATE TRIGGER fail BEFORE INSERT ON installation_facts EXECUTE FUNCTION fail()`.execute(source.db)
  await assert.rejects(move(), /disk full/)
  await assertUsable(source.db)
  await assertMovable(source.db, target.db, modules)
  await sql`DROP FUNCTION fail CASCADE`.execute(source.db)
  await addUser(source)
  await move()
  assert.equal((await sql`SELECT FROM users`.execute(target.db)).rows.length, 1)
})

test('a copy whose original was not marked is refused', async (t) => {
  const { source, target, move } = await openBoth(t)
  await sql`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''disk full''; END'`.execute(
    source.db,
  )
  await sql`CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON installation_facts DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION fail()`.execute(source.db)
  await assert.rejects(move(), /disk full/)
  await assertUsable(source.db)
  await addUser(source)
  await assert.rejects(assertUsable(target.db), /was not completed/)
  await assert.rejects(assertMovable(source.db, target.db, modules), /interrupted before(.|\n)*Drop and create/)
})

test('an undone move makes the original usable, and caches and the audit trail show it', async (t) => {
  const { source, move } = await openBoth(t)
  await addUser(source)
  const message = newId()
  await sql`INSERT INTO outbox (id, channel, message, payload, status, created_at)
    VALUES (${message}, 'mail', 'reset', 'sealed', 'queued', now())`.execute(source.db)
  await sql`UPDATE users SET deleted_at = now() - interval '29 days'`.execute(source.db)
  await sql`INSERT INTO applications (id, created_at, updated_at, is_enabled, is_development, key, name, kind)
    VALUES (${message}, now(), now(), true, false, 'shop', 'Shop', 'website')`.execute(source.db)
  await sql`INSERT INTO application_secrets (id, application_id, created_at, secret_hash, hint, rights, ip_ranges)
    VALUES (${message}, ${message}, now(), '\\x00', 'wbs_…', '{sessions}', '{}')`.execute(source.db)
  await move()
  const moved = await findMark(source.db, 'moved')
  const { postponed, revoked } = await undoMove({
    config,
    log,
    modules,
    database: source,
    moved: moved ?? '',
    keepSessions: false,
  })
  await assertUsable(source.db)
  // The source deletes a user who may have been restored in the target.
  assert.deepEqual(postponed, { deletions: 0, erasures: 1 })
  // The target may have revoked the secret.
  assert.deepEqual([revoked, (await sql`SELECT FROM application_secrets`.execute(source.db)).rows.length], [1, 0])
  await addUser(source)
  assert.deepEqual((await events(source)).slice(-2), ['session_ended', 'move_undone'])
  const { rows } = await sql`SELECT status, payload FROM outbox WHERE id = ${message}`.execute(source.db)
  assert.deepEqual(rows, [{ status: 'expired', payload: null }])
  const raised = await sql`SELECT FROM users WHERE session_epoch > 1000000000`.execute(source.db)
  assert.equal(raised.rows.length, 1)
})
