import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { findPgbouncer, noPgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { loadSettings, startLoad } from './load.ts'
import { call, migratedDatabase, needsBoth, redisUrl, registerAt, startNodes, validateAt } from './nodes.ts'

const skip = needsBoth.skip || (findPgbouncer() ? false : noPgbouncer)

/** The pooler has fewer connections to the server than the nodes have to the pooler, so the connections are shared. */
const crowded = { default_pool_size: '4' }

async function startBehindPooler(t: TestContext, changes: Record<string, string>, settings: Record<string, string>) {
  const database = await migratedDatabase()
  // The service must not depend on settings of the database, which apply to the connections that the pooler opens.
  await database.query(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET DateStyle = %L', current_database(), 'German');
    EXECUTE format('ALTER DATABASE %I SET extra_float_digits = %L', current_database(), -15);
  END $$`)
  const pooler = await startPgbouncer(database.url, changes)
  const nodes = await startNodes(
    2,
    { ...loadSettings, DATABASE_URL: pooler.url, AUTO_MIGRATE: 'false', ...settings },
    database,
  )
  t.after(async () => {
    await nodes.stop()
    await pooler.stop()
  })
  return { database, pooler, nodes }
}

describe('behind pgbouncer', { skip }, () => {
  test('in transaction mode, nodes share few connections without a failed request', async (t) => {
    const { pooler, nodes } = await startBehindPooler(t, crowded, { REDIS_URL: redisUrl })
    const load = await startLoad(nodes.urls)
    t.after(load.stop)
    await eventually(async () => (load.counts[200] ?? 0) > 600)
    await load.stop()
    assert.deepEqual(Object.keys(load.counts), ['200'], JSON.stringify(load.counts))
    const pools = await pooler.show('SHOW POOLS')
    const [pool] = pools.filter(({ user }) => user === 'postgres')
    assert.equal(pool?.pool_mode, 'transaction')
    const servers = Number(pool?.sv_active) + Number(pool?.sv_idle) + Number(pool?.sv_used)
    assert.ok(servers <= 4 && Number(pool?.cl_active) > servers, JSON.stringify(pool))
  })

  test('in transaction mode, ended sessions and module runs reach every node', async (t) => {
    const { database, nodes } = await startBehindPooler(t, crowded, { REDIS_URL: redisUrl })
    const [one, other] = nodes.urls
    const admin = await registerAt(one!)
    await database.query("UPDATE users SET user_type = 'superadmin' WHERE id = $1", [admin.id])
    const headers = { 'x-session-id': admin.sessionToken }

    const ada = await registerAt(one!)
    assert.equal((await validateAt(other!, ada.sessionToken)).status, 200)
    assert.equal(
      (await call(`${one}/auth/logout`, { body: {}, headers: { 'x-session-id': ada.sessionToken } })).status,
      200,
    )
    await eventually(async () => (await validateAt(other!, ada.sessionToken)).status === 401)

    const runs = await Promise.all(
      nodes.urls.map((url) =>
        call(`${url}/api/v1/modules/install/privacy/run`, { body: { target: 'core' }, headers, timeoutMs: 60_000 }),
      ),
    )
    assert.ok(
      runs.some(({ status }) => status === 200),
      JSON.stringify(runs.map(({ json }) => json)),
    )
    assert.ok(
      runs.every(({ status, json }) => status === 200 || json.code === 'INSTALL_LOCKED'),
      JSON.stringify(runs.map(({ json }) => json)),
    )
  })

  test('in session mode, nodes also work without Redis', async (t) => {
    const { nodes } = await startBehindPooler(t, { pool_mode: 'session', default_pool_size: '60' }, {})
    const load = await startLoad(nodes.urls)
    t.after(load.stop)
    await eventually(async () => (load.counts[200] ?? 0) > 200)
    await load.stop()
    assert.deepEqual(Object.keys(load.counts), ['200'], JSON.stringify(load.counts))
  })
})
