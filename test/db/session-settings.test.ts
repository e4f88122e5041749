import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { connectDatabase, type Database } from '../../src/db/connect.ts'
import { databaseFault, UnreadableValue } from '../../src/db/errors.ts'
import { expected, findUnsuitable, fixed } from '../../src/db/session-settings.ts'
import { minute } from '../../src/lib/time.ts'
import { registered, signedInAs, withSession } from '../support/people.ts'
import { createDatabase, dropDatabase } from '../support/postgres.ts'
import { startTestApp } from '../support/test-app.ts'

const server = process.env.TEST_DATABASE_URL ?? ''
const skip = server === '' && 'skipped: no TEST_DATABASE_URL'

/** Unusual values of the settings that the service fixes. */
const changed: Record<keyof typeof fixed, string> = {
  DateStyle: 'German',
  TimeZone: 'Asia/Kathmandu',
}

/** Unusual values of settings that make no difference. */
const harmless = {
  IntervalStyle: 'sql_standard',
  backslash_quote: 'off',
  bytea_output: 'escape',
  check_function_bodies: 'off',
  client_encoding: 'LATIN1',
  client_min_messages: 'error',
  default_table_access_method: 'heap',
  default_text_search_config: 'pg_catalog.simple',
  default_toast_compression: 'pglz',
  default_transaction_deferrable: 'on',
  escape_string_warning: 'off',
  extra_float_digits: '-15',
  idle_session_timeout: '60s',
  lc_messages: 'C',
  lc_monetary: 'C',
  lc_numeric: 'C',
  lc_time: 'C',
  quote_all_identifiers: 'on',
  search_path: 'public',
  synchronize_seqscans: 'off',
  temp_tablespaces: 'pg_default',
  timezone_abbreviations: 'India',
  xmlbinary: 'hex',
  xmloption: 'document',
}

/** The service sends its own values. The sample of a pooler's configuration says where else to set them. */
const timeouts = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout']
/** They cannot be set for a role or a database, or do not affect statements of this service. */
const irrelevant =
  /^(transaction_(deferrable|isolation|read_only)|vacuum_.*|gin_pending_list_limit|createrole_self_grant|event_triggers|restrict_nonsystem_relation_kind|lo_compat_privileges|default_tablespace|dynamic_library_path|(local|session)_preload_libraries|allow_alter_system|debug_.*)$/

/** One value that is not expected for each of these settings. */
const unsuitable: Record<keyof typeof expected, string> = {
  DateStyle: 'German',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  gin_fuzzy_search_limit: '5',
  row_security: 'off',
  default_transaction_read_only: 'on',
  default_transaction_isolation: 'serializable',
  session_replication_role: 'replica',
  exit_on_error: 'on',
  synchronous_commit: 'off',
}

const targets = {
  database: (name: string) => `DATABASE ${name}`,
  role: (name: string) => `ROLE CURRENT_USER IN DATABASE ${name}`,
}

async function open(t: TestContext, settings: object, target: keyof typeof targets = 'database'): Promise<Database> {
  const url = await createDatabase(server, undefined, process.env.TEST_TEMPLATE)
  const name = targets[target](pg.escapeIdentifier(new URL(url).pathname.slice(1)))
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  for (const [setting, value] of Object.entries(settings))
    await client.query(`ALTER ${name} SET ${setting} = ${pg.escapeLiteral(value)}`)
  await client.end()
  const database = await connectDatabase({ url, poolMax: 5, dataDir: undefined, archive: undefined, onDown: () => {} })
  t.after(async () => {
    await database.close()
    await dropDatabase(server, url)
  })
  return database
}

describe('settings of the database and its role', { skip }, () => {
  for (const target of ['database', 'role'] as const)
    test(`do not affect requests, whatever the ${target} sets`, async (t) => {
      const database = await open(t, { ...harmless, ...changed }, target)
      const app = await startTestApp({
        database,
        modules: ['two-factor', 'api-keys', 'oauth', 'privacy', 'onboarding', 'blog', 'post-types'],
        env: { BLOG_ENABLED: 'true' },
      })
      t.after(() => app.stop())

      assert.equal((await app.get('/health/ready')).status, 200)
      const ada = await registered(app, 'ada')
      const { sessions } = (await app.get('/auth/sessions', withSession(ada.sessionToken))).json.data
      assert.ok(Math.abs(Date.parse(sessions[0].createdAt) - Date.now()) < minute, sessions[0].createdAt)

      await app.post('/auth/password-reset/request', { email: ada.email })
      const { text } = await app.mailTo(ada.email, 1)
      const token = /token=([\w-]+)/.exec(text)?.[1]
      const password = 'a \\ tilted quay in the fog'
      const reset = await app.post('/auth/password-reset/complete', { token, password })
      assert.equal(reset.status, 200, reset.text)
      assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 401)
      const login = await app.post('/auth/login', { email: ada.email, password })
      assert.equal(login.status, 200, login.text)
      const session = withSession(login.json.sessionId)
      assert.equal((await app.post('/auth/refresh', {}, session)).status, 200)

      const admin = withSession((await signedInAs(app, 'superadmin')).sessionToken)
      const post = { title: 'Tides \\ and ports', body: 'An **early** bell.', status: 'published' }
      const created = await app.post('/api/v1/posts', post, admin)
      assert.equal(created.status, 200, created.text)
      for (const path of [
        `/auth/users?email=${ada.email}`,
        '/auth/admin/audit',
        '/auth/admin/overview',
        '/auth/admin/lockouts',
        '/auth/sessions',
        '/auth/admin/users',
        '/api/v1/posts?sort=views',
        `/api/v1/posts/id/${created.json.data.id}/stats`,
      ]) {
        const reply = await app.get(path, admin)
        assert.equal(reply.status, 200, `${path}: ${reply.text}`)
      }
    })

  test('are all known', async (t) => {
    const { query } = await open(t, {})
    const rows = await query<{ name: string }>(
      `SELECT name FROM pg_settings WHERE context IN ('user', 'superuser')
       AND category ~ '^(Client Connection Defaults|Version and Platform Compatibility|Error Handling)'`,
      [],
    )
    const known = [fixed, harmless, expected].flatMap((settings) => Object.keys(settings)).concat(timeouts)
    const unknown = rows.filter(({ name }) => !known.includes(name) && !irrelevant.test(name))
    assert.ok(rows.length > 30)
    assert.deepEqual(unknown, [])
  })

  test('are fixed for every connection', async (t) => {
    const { query, alone, listen } = await open(t, changed)
    const wanted = Object.entries(fixed).map(([name, value]) => ({ name, value }))
    const read = 'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name'
    assert.deepEqual(await query(read, [Object.keys(fixed)]), wanted)
    await alone(async (db) => {
      assert.equal((await sql<{ DateStyle: string }>`SHOW DateStyle`.execute(db)).rows[0]?.DateStyle, fixed.DateStyle)
    })
    const client = await listen!()
    assert.deepEqual((await client.query(read, [Object.keys(fixed)])).rows, wanted)
    await client.end()
  })

  test('that the service cannot fix are reported when it starts', async (t) => {
    assert.deepEqual(await findUnsuitable((await open(t, {})).query), [])
    const { DateStyle, default_transaction_read_only, ...others } = unsuitable
    const database = await open(t, { ...others, default_transaction_read_only })
    const names = (await findUnsuitable(database.query)).map(({ name }) => name)
    assert.deepEqual(names, Object.keys({ ...others, default_transaction_read_only }).sort())
    const { row_security, exit_on_error, session_replication_role, standard_conforming_strings, ...soft } = others
    const app = await startTestApp({ database: await open(t, soft) })
    t.after(() => app.stop())
    for (const name of Object.keys(soft)) assert.match(app.logged(), new RegExp(`${name} = `))
    assert.match(app.logged(), /ALTER ROLE CURRENT_USER IN DATABASE <name> SET synchronous_commit = 'on'/)
  })

  test('that are lost on the way make reading fail, not return other values', async (t) => {
    const { db, state } = await open(t, {})
    await db.connection().execute(async (connection) => {
      await sql`SET DateStyle = 'German'`.execute(connection)
      const [unsuited] = await findUnsuitable(async (text, values) => {
        const { rows } = await connection.executeQuery<never>(
          sql.raw(text.replace('$1', `'{${values[0]}}'`)).compile(connection),
        )
        return rows
      })
      assert.equal(unsuited?.name, 'DateStyle')
      const reading = sql`SELECT now()`.execute(connection)
      const error = await reading.then(
        () => undefined,
        (reason) => reason,
      )
      assert.ok(error instanceof UnreadableValue, String(error))
      assert.deepEqual(databaseFault(error), { retryAfter: 2 })
      await sql`RESET DateStyle`.execute(connection)
    })
    assert.equal(await state(), 'writable')
  })
})
