import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../../src/config/load.ts'
import { bringUpToDate, openDatabase } from '../../src/db/open-database.ts'
import { createLogger } from '../../src/lib/log.ts'
import { needsPostgres, newDatabase } from '../nodes/nodes.ts'

test('a migration of a large table may take longer than a request', needsPostgres, async (t) => {
  const place = await newDatabase()
  t.after(place.drop)
  // PostgreSQL cancels the statement of a request after five seconds.
  await place.query(`CREATE FUNCTION slow() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
      IF current_query() LIKE '%CREATE TABLE pictures%' THEN PERFORM pg_sleep(6); END IF; END $$;
    CREATE EVENT TRIGGER slow ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION slow()`)
  const secrets = { AUTH_SECRET: 'x'.repeat(32), DATA_KEYS: `1:${Buffer.alloc(32, 7).toString('base64url')}` }
  const config = loadConfig({ NODE_ENV: 'test', DATABASE_URL: place.url, ...secrets })
  const log = createLogger('silent', [], () => {})
  const database = await openDatabase(config, log)
  t.after(() => database.close())
  const applied = await bringUpToDate(config, log, database)
  assert.ok(applied.includes('009_pictures.sql'), applied.join())
})
