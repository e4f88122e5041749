import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '../../src/lib/time.ts'
import { startService } from '../support/child.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { call, type Nodes, needsPostgres, newDatabase, newDeployment, registerAt, startNodes } from './nodes.ts'

const path = '/api/v1/modules/install'
const ours = ['user_onboarding', 'user_acquisition', 'user_deletion_requests', 'user_privacy_events']
const columns = ['privacy_region', 'gdpr_consent', 'is_business', 'biz_name', 'biz_country']

/** Drops all module tables and columns. Nothing else may use the database during this. */
const uninstall = ({ database }: Pick<Nodes, 'database'>) =>
  database.query(`DROP TABLE IF EXISTS ${ours.join()}, module_hub_registry, module_hub_events, module_hub_locks CASCADE;
    ALTER TABLE users ${[
      ...columns,
      'gdpr_consent_at',
      'gdpr_consent_version',
      'ccpa_applies',
      'ccpa_opt_out',
      'ccpa_opt_out_at',
      'biz_state',
      'biz_position',
      'biz_postal_code',
    ]
      .map((name) => `DROP COLUMN IF EXISTS ${name} CASCADE`)
      .join()}`)

const adminAt = async ({ database }: Pick<Nodes, 'database'>, url: string) => {
  const admin = await registerAt(url)
  await database.query(`UPDATE users SET user_type = 'admin' WHERE id = $1`, [admin.id])
  return { 'x-session-id': admin.sessionToken }
}

/** Repeats the check until it succeeds, and returns the elapsed time. */
async function until(isRight: () => Promise<boolean>, limit: number): Promise<number> {
  const started = performance.now()
  while (!(await isRight())) {
    const waited = performance.now() - started
    assert.ok(waited < limit, `not within ${limit} ms`)
    await sleep(50)
  }
  return performance.now() - started
}

describe('two nodes', needsPostgres, () => {
  let nodes: Nodes
  let headers: Record<string, string>
  let [first, other]: string[] = []
  before(async () => {
    nodes = await startNodes(2, { RATE_LIMIT_ADMIN: '100000/1h' })
    ;[first, other] = nodes.urls
    headers = await adminAt(nodes, first!)
  })
  after(() => nodes?.stop())
  beforeEach(async () => {
    await uninstall(nodes)
    for (const url of nodes.urls) await until(() => isUninstalled(url), 5 * second)
  })

  const run = (url: string | undefined, module: string) =>
    call(`${url}${path}/${module}/run`, { method: 'POST', headers, timeoutMs: 60 * second })
  /** Whether an installation is in progress, which blocks other installations. */
  const isLocked = async () => {
    const { status, json } = await call(`${other}${path}/status`, { headers })
    assert.equal(status, 200, JSON.stringify(json))
    return json.data.locked === true
  }
  /** Opens a transaction that has read `users`. The test ends it. */
  const occupyUsers = async (t: TestContext) => {
    const reader = await nodes.database.connect()
    const release = () => reader.end()
    t.after(release)
    await reader.query('BEGIN; SELECT count(*) FROM users')
    return release
  }
  /** All tables, constraints, indexes, triggers and functions in PostgreSQL's catalogue. */
  const schema = () =>
    nodes.database.query(`
      SELECT format('%s.%s %s %s', table_name, column_name, data_type, column_default) AS line
        FROM information_schema.columns WHERE table_schema = 'public'
      UNION ALL SELECT format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
      ORDER BY line`)
  /**
   * All rows, each with the id of the transaction that wrote it, which reveals rows rewritten with the same values.
   * Omits data that nodes write during other requests and jobs: audit events and seals, request and user counts, the
   * last use of sessions, message delivery, and the positions of events.
   */
  const rows = async () => {
    const own =
      'audit_events audit_seals rate_limits user_counts sessions outbox events event_positions webhook_cursor'.split(
        ' ',
      )
    const tables = await nodes.database.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL($1)`,
      [own],
    )
    const lines = tables.map(({ name }) => `SELECT '${name}' AS name, xmin::text, t::text AS row FROM ${name} t`)
    return nodes.database.query(`${lines.join(' UNION ALL ')} ORDER BY name, row, xmin`)
  }
  const isShown = async (url: string | undefined) =>
    'privacy_region' in ((await call(`${url}/auth/me`, { headers })).json.user ?? {})
  const isRouted = async (url: string | undefined) =>
    (await call(`${url}/auth/user/me/privacy`, { headers })).status === 200
  /**
   * Whether the node knows that no module is installed. It may not have heard of the last installation, so this checks
   * the columns of every module that the tests install. While it still reads dropped columns, it fails with status 500.
   */
  const isUninstalled = async (url: string | undefined) => {
    const { status, json } = await call(`${url}/auth/me`, { headers })
    return status === 200 && !columns.some((name) => name in json.user) && !(await isRouted(url))
  }

  test('show what one of them has installed within a second, and what has gone within five', async () => {
    for (const url of nodes.urls) assert.equal((await isShown(url)) || (await isRouted(url)), false)
    assert.equal((await run(first, 'privacy')).status, 200)
    assert.ok((await isShown(first)) && (await isRouted(first)), 'at once where it was installed')
    await until(async () => (await isShown(other)) && (await isRouted(other)), second)
    const search = `${other}/auth/users?privacy_region=global`
    assert.equal((await call(search, { headers })).status, 200)

    await nodes.database.query('DROP TABLE user_deletion_requests')
    await until(async () => !(await isRouted(first)) && !(await isRouted(other)) && !(await isShown(other)), 5 * second)
    assert.equal((await call(search, { headers })).json.code, 'module_not_installed')
  })

  test('run one installation at a time: the other is told to come back, and comes back', async (t) => {
    const release = await occupyUsers(t)
    const answers = [run(first, 'privacy'), run(other, 'onboarding')]
    const loser = await Promise.race(answers)
    assert.deepEqual([loser.status, loser.json.code], [409, 'INSTALL_LOCKED'])
    assert.equal(loser.headers.get('retry-after'), '5')
    // Runs that start before it finishes are also refused.
    assert.equal((await run(first, 'two-factor')).json.code, 'INSTALL_LOCKED')
    await release()
    const codes = (await Promise.all(answers)).map(({ status }) => status)
    assert.deepEqual(codes.toSorted(), [200, 409])
    for (const module of ['privacy', 'onboarding']) assert.equal((await run(other, module)).status, 200)
  })

  test('serve everybody while an installation waits for a table that is in use', async (t) => {
    const release = await occupyUsers(t)
    const installing = run(first, 'privacy')
    const times: number[] = []
    for (let count = 0; count < 15; count++) {
      const started = performance.now()
      const { status } = await call(`${other}/auth/profile`, { method: 'PUT', body: { title: `${count}` }, headers })
      assert.equal(status, 200)
      times.push(performance.now() - started)
      await sleep(100)
    }
    await release()
    assert.equal((await installing).status, 200)
    assert.ok(Math.max(...times) < second, `${Math.max(...times)} ms`)
  })

  test('a run on a frozen node ends within seconds, and does not keep the others from installing', async (t) => {
    const release = await occupyUsers(t)
    const frozen = nodes.services[0]!
    const stuck = run(first, 'privacy')
    await until(isLocked, 5 * second)
    process.kill(frozen.pid, 'SIGSTOP')
    t.after(() => process.kill(frozen.pid, 'SIGCONT'))
    await release()
    await until(async () => (await run(other, 'onboarding')).status === 200, 20 * second)
    process.kill(frozen.pid, 'SIGCONT')
    const { status, json } = await stuck
    assert.ok([200, 500].includes(status), `${status} ${json?.code}`)
    const [row] = await nodes.database.query<{ rows: number }>(
      `SELECT count(*)::int AS rows FROM module_hub_registry WHERE module_id = 'privacy'`,
    )
    assert.equal(row?.rows, status === 200 ? 1 : 0)
    assert.equal((await run(first, 'privacy')).status, 200)
  })

  test('a run whose connection to PostgreSQL is lost does not keep the others from installing', async (t) => {
    const proxy = await startFaultProxy(Number(new URL(nodes.database.url).port))
    t.after(() => proxy.stop())
    const settings = { ...nodes.settings, DATABASE_URL: proxy.through(nodes.database.url), MODULE_RUN_TIMEOUT: '10s' }
    const remote = await startService(settings)
    t.after(() => remote.kill())
    const release = await occupyUsers(t)
    const stuck = run(remote.url, 'privacy')
    await until(isLocked, 5 * second)
    proxy.blackhole()
    await release()
    await until(async () => (await run(other, 'onboarding')).status === 200, 20 * second)
    proxy.heal()
    assert.equal((await stuck).status, 500)
    await until(async () => (await run(remote.url, 'privacy')).status === 200, 10 * second)
  })

  test('a dry run leaves schema and rows as they were', async () => {
    for (const isThere of [false, true]) {
      if (isThere) assert.equal((await run(first, 'onboarding')).status, 200)
      const before = [await schema(), await rows()]
      for (const target of ['core', 'all']) {
        const { status } = await call(`${first}${path}/privacy/dry-run`, { body: { target }, headers })
        assert.equal(status, 200)
      }
      assert.deepEqual([await schema(), await rows()], before)
    }
  })
})

test(
  'a node that is killed in the middle of an installation leaves the old state or the new one',
  needsPostgres,
  async (t) => {
    const database = await newDatabase()
    const settings = { ...newDeployment(), DATABASE_URL: database.url, RATE_LIMIT_ADMIN: '100000/1h' }
    let node = await startService(settings)
    t.after(async () => {
      await node.stop()
      await database.drop()
    })
    const headers = await adminAt({ database }, node.url)
    const state = async () => {
      const [found] = await database.query<{ columns: number; tables: number; rows: number }>(`SELECT
      (SELECT count(*)::int FROM information_schema.columns WHERE table_name = 'users' AND column_name IN
        ('is_business', 'biz_name', 'biz_country', 'biz_state', 'biz_position', 'biz_postal_code')) AS columns,
      (SELECT count(*)::int FROM pg_tables WHERE tablename IN ('user_onboarding', 'user_acquisition')) AS tables,
      (SELECT count(*)::int FROM module_hub_registry WHERE module_id = 'onboarding') AS rows`)
      return found
    }
    const seen = new Set<string>()
    for (const wait of [5, 20, 50, 100, 300]) {
      await uninstall({ database })
      const hub = () => call(`${node.url}${path}/run`, { method: 'POST', headers })
      await until(async () => (await hub()).status === 200, 5 * second)
      const running = call(`${node.url}${path}/onboarding/run`, { method: 'POST', headers }).catch(() => undefined)
      await sleep(wait)
      await node.kill()
      await running
      // Waits until PostgreSQL notices that the connections are closed.
      await until(async () => {
        const [open] = await database.query<{ count: number }>(`SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'wardenry%'`)
        return open?.count === 0
      }, 5 * second)
      const left = JSON.stringify(await state())
      assert.ok(['{"columns":0,"tables":0,"rows":0}', '{"columns":6,"tables":2,"rows":1}'].includes(left), left)
      seen.add(left)
      node = await startService(settings)
      const again = await call(`${node.url}${path}/onboarding/run`, { method: 'POST', headers })
      assert.equal(again.status, 200, JSON.stringify(again.json))
    }
    t.diagnostic(`states after 5 kills: ${[...seen].join(' and ')}`)
  },
)
