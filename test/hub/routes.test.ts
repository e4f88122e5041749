// Setup: default start
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { runInstall } from '../../src/hub/install.ts'
import { loadModules } from '../../src/hub/load-modules.ts'
import type { AppError } from '../../src/lib/errors.ts'
import { minute } from '../../src/lib/time.ts'
import { broken, delivery, makeModule, shop } from '../support/modules.ts'
import { type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const base = '/api/v1/modules/install'

let app: TestApp
let admin: SignedIn
before(async () => {
  app = await startTestApp({ shipped: [shop(), delivery(), broken()] })
  admin = await signedInAs(app, 'admin')
})
after(() => app.stop())

const run = (text: string) => sql.raw(text).execute(app.ctx.db)
const get = (path: string, query?: Record<string, string>) =>
  app.get(`${base}${path}`, { ...withSession(admin.sessionToken), ...(query && { query }) })
const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  app.post(`${base}${path}`, body, { headers: { ...withSession(admin.sessionToken).headers, ...headers } })
const ok = async (path: string, body?: unknown) => {
  const { status, json, text } = await post(path, body)
  assert.equal(status, 200, text)
  return json
}
const component = async (module: string, id: string) =>
  (await get(`/${module}/status`)).json.data.components.find(
    ({ component_id }: { component_id: string }) => component_id === id,
  )
const moduleStatus = async (id: string) => (await get(`/${id}/status`)).json.data.status
const auditOf = async (event: string) => {
  const { rows } = await sql<{ outcome: string; actor_id: string; details: Record<string, unknown> }>`
    SELECT outcome, actor_id, details FROM audit_events WHERE event = ${event} ORDER BY time`.execute(app.ctx.db)
  return rows
}
/** All tables with their columns and row counts. Rows that every request adds are not counted. */
const wholeDatabase = async () => {
  const { rows } = await sql<{ name: string; columns: string }>`
    SELECT table_name AS name, string_agg(column_name || ' ' || data_type, ', ' ORDER BY column_name) AS columns
    FROM information_schema.columns WHERE table_schema = 'public' GROUP BY table_name ORDER BY table_name`.execute(
    app.ctx.db,
  )
  const counted = rows.map(async ({ name, columns }) => {
    if (['audit_events', 'rate_limits'].includes(name)) return { name, columns }
    const { rows: counts } = await sql<{ rows: string }>`SELECT count(*) AS rows FROM ${sql.table(name)}`.execute(
      app.ctx.db,
    )
    return { name, columns, ...counts[0] }
  })
  return Promise.all(counted)
}

/** Inserts a lock like one left by a killed run or held by a run in progress on another node. */
const leaveLock = (until: Date) =>
  sql`INSERT INTO module_hub_locks VALUES ('module-hub', 'other', 'elsewhere', ${new Date()}, ${until})`.execute(
    app.ctx.db,
  )

const nothingThere = () =>
  run(`DROP TABLE IF EXISTS goods, parcels, fragments, shards, module_hub_registry, module_hub_events, module_hub_locks;
    DELETE FROM audit_events WHERE event LIKE 'module%'`)

describe('before anything is installed', () => {
  beforeEach(nothingThere)

  test('the hub says which of its tables are there', async () => {
    const { json } = await get('/status')
    assert.deepEqual(json, {
      success: true,
      data: {
        installed: false,
        tables: ['module_hub_registry', 'module_hub_events', 'module_hub_locks'].map((name) => ({
          name,
          exists: false,
        })),
        runtime_scope: 'service-core',
        version: '1.0.0',
        locked: false,
      },
      user_context: { authenticated: true },
      meta: { cached: false },
    })
    assert.deepEqual((await get('/shop/registry')).json.data, [])
  })

  test('discovery shows every module and component', async () => {
    for (const path of ['', '/']) {
      const { json } = await get(path)
      assert.deepEqual(json.meta, { page: 1, limit: 3, total: 3, pages: 1, has_more: false, cached: false })
      const [found, needy] = json.data
      const { components, ...about } = found
      assert.deepEqual(about, {
        module_id: 'shop',
        name: 'shop',
        description: 'the module shop',
        module_description: 'the module shop',
        module_version: '1.0.0',
        runtime_scope: 'service-core',
        runtime_scopes: ['service-core'],
        depends_on: [],
        status: 'not_installed',
        enabled: true,
        switches: [],
        missing_dependencies: [],
      })
      assert.deepEqual(components[1], {
        component_id: 'ext-prices',
        component_type: 'extension',
        description: 'the component ext-prices',
        expected_version: '1.1.0',
        version: '1.1.0',
        installed_version: null,
        installed: false,
        status: 'not_installed',
        checksum_ok: null,
        drift: false,
        action: 'install',
        depends_on: ['core'],
      })
      assert.deepEqual(needy.missing_dependencies, ['shop'])
    }
  })

  test('a dry run answers with the plan alone, and leaves nothing but an audit event', async () => {
    const before = await wholeDatabase()
    const bodies: [unknown, string[]][] = [
      [undefined, ['core']],
      ['', ['core']],
      [{}, ['core']],
      [{ target: 'core', components: ['ext-prices'] }, ['core']],
      [{ target: 'all', runtimeScope: 'service-core' }, ['core', 'ext-prices', 'ext-discounts', 'ext-nothing']],
      [{ target: 'selected', components: ['ext-discounts'] }, ['core', 'ext-prices', 'ext-discounts']],
      [{ target: null, components: null, verify_checksum: false, repairMissing: true, other: 1 }, ['core']],
    ]
    for (const [body, order] of bodies) {
      const { status, json, text } = await post('/shop/dry-run', body)
      assert.equal(status, 200, text)
      assert.deepEqual(json, {
        data: { module_id: 'shop', runtime_scope: 'service-core', dry_run: true, resolved_order: order },
        user_context: { authenticated: true },
        meta: { cached: false },
      })
    }
    // The module's dependency is not installed. This blocks only the installation, not the plan.
    assert.equal((await post('/delivery/dry-run')).status, 200)
    assert.deepEqual((await ok('/dry-run')).data, {
      module_id: 'module-hub',
      runtime_scope: 'service-core',
      dry_run: true,
      resolved_order: ['registry', 'events', 'locks'],
    })
    assert.deepEqual(await wholeDatabase(), before)
    const events = await auditOf('module_dry_run')
    assert.equal(events.length, bodies.length + 2)
    assert.ok(events.every(({ actor_id, outcome }) => actor_id === admin.id && outcome === 'success'))
  })

  test('the hub makes its tables once, and its events are written once', async () => {
    const names = ['module_hub_registry', 'module_hub_events', 'module_hub_locks']
    assert.deepEqual((await ok('/run')).data, { installed: true, created: names, existing: [] })
    assert.deepEqual((await ok('/run', {})).data, { installed: true, created: [], existing: names })
    assert.equal((await auditOf('module_installed')).length, 1)
    await ok('/shop/run')
    for (const change of ['UPDATE module_hub_events SET event_type = $$x$$', 'DELETE FROM module_hub_events']) {
      await assert.rejects(run(change), /append-only/)
    }
  })
})

describe('what is not sent as it should be is refused with the field, and changes nothing:', () => {
  before(nothingThere)

  const cases: [name: string, body: unknown, fields: string[]][] = [
    ['no JSON', '{"target": ', ['body']],
    ['typographic quotes', '{“target”: “core”}', ['body']],
    ['a space that does not break', '{\u00a0"target": "core"}', ['body']],
    ['a list', [], ['body']],
    ['a text', '"core"', ['body']],
    ['null', 'null', ['body']],
    ['an unknown target', { target: 'everything' }, ['target']],
    ['words for truth', { verify_checksum: 'true', repair_missing: 1 }, ['verify_checksum', 'repair_missing']],
    ['a scope that leaves its place', { runtime_scope: '../x' }, ['runtime_scope']],
    ['nothing selected', { target: 'selected' }, ['components']],
    ['an empty selection', { target: 'selected', components: [] }, ['components']],
    ['a duplicate', { target: 'selected', components: ['core', 'core'] }, ['components']],
    ['an unknown component', { target: 'selected', components: ['ext-unknown'] }, ['components']],
    ['a component of another kind', { target: 'core', components: [1] }, ['components.0']],
    ['one name for all', { components: 'core' }, ['components']],
    ['65 components', { components: Array.from({ length: 65 }, (_, n) => `ext-${n}`) }, ['components']],
    ['10,000 components', { components: Array.from({ length: 10_000 }, () => 'x') }, ['components']],
    ['two spellings', '{"runtime_scope": "a", "runtimeScope": "b"}', ['runtime_scope']],
    ['one name twice', '{"target": "core", "target": "all"}', ['target']],
  ]
  for (const [name, body, fields] of cases) {
    test(name, async () => {
      const before = await wholeDatabase()
      for (const path of ['/shop/dry-run', '/shop/run']) {
        const { status, json, text } = await post(path, body)
        assert.deepEqual([status, json.code], [400, 'VALIDATION_ERROR'], text)
        assert.deepEqual(
          json.details.map(({ field }: { field: string }) => field),
          fields,
        )
      }
      assert.deepEqual(await wholeDatabase(), before)
    })
  }

  test('a run of the hub itself with a body of null', async () => {
    for (const path of ['/run', '/dry-run', '/shop/update', '/shop/update/dry-run']) {
      const { status, json } = await post(path, 'null')
      assert.deepEqual([status, json.code], [400, 'VALIDATION_ERROR'], path)
    }
  })

  test('an id that names no module of the release is not found, whatever it looks like', async () => {
    const ids = ['blog', '..%2fshop', '%2e%2e%2fshop', 'shop%2f..', '__proto__', 'constructor', 'shop;drop', 'SHOP']
    for (const id of [...ids, ' shop', 'status', 'dry-run', 'x'.repeat(65), 'module.json']) {
      for (const path of ['dry-run', 'run', 'update', 'update/dry-run']) {
        assert.equal((await post(`/${id}/${path}`, {})).status, 404, id)
      }
      for (const path of ['status', 'registry']) assert.equal((await get(`/${id}/${path}`)).status, 404, id)
    }
  })

  test('a body is JSON whatever it says it is, and none is the default', async () => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/xml', 'x']
    for (const type of types) {
      const { status, json } = await post('/shop/dry-run', '{"target":"all"}', { 'content-type': type })
      assert.deepEqual([status, json.data?.resolved_order?.length], [200, 4], type)
    }
    // All other routes require the content type.
    const { headers } = withSession(admin.sessionToken)
    const elsewhere = await app.call('PUT', '/auth/profile', {
      body: '{}',
      headers: { ...headers, 'content-type': 'text/plain' },
    })
    assert.equal(elsewhere.status, 415)
  })
})

describe('a run', () => {
  beforeEach(nothingThere)

  test('installs in order, remembers it, and finds nothing to do when it is repeated', async () => {
    const { data, ...rest } = await ok('/shop/run', { target: 'selected', components: ['ext-prices'], verbose: true })
    assert.deepEqual(rest, { success: true, user_context: { authenticated: true }, meta: { cached: false } })
    const { run_id, result, plan, ...about } = data
    assert.deepEqual(about, {
      module_id: 'shop',
      runtime_scope: 'service-core',
      dry_run: false,
      resolved_order: ['core', 'ext-prices'],
    })
    const { duration_ms, ...lists } = result
    const none = { upgraded: [], repaired: [], failed: [] }
    assert.deepEqual(lists, { installed: ['core', 'ext-prices'], skipped: [], ...none })
    assert.ok(Number.isInteger(duration_ms))
    assert.deepEqual(plan[1], {
      component_id: 'ext-prices',
      component_type: 'extension',
      action: 'install',
      from_version: null,
      to_version: '1.1.0',
      checksum: plan[1].checksum,
    })

    const registry = (await get('/shop/registry', { limit: '1' })).json
    assert.deepEqual(registry.meta, { page: 1, limit: 1, total: 2, pages: 2, has_more: true, cached: false })
    const { id, installed_at, updated_at, ...row } = registry.data[0]
    assert.deepEqual(row, {
      module_id: 'shop',
      component_id: 'core',
      component_type: 'core',
      runtime_scope: 'service-core',
      version: '1.0.0',
      checksum: plan[0].checksum,
      status: 'installed',
      run_id,
      installed_by: admin.id,
    })
    assert.ok(id && installed_at === updated_at && installed_at.endsWith('Z'))

    const { rows: events } = await sql<{ event_type: string; component_id: string | null; actor_user_id: string }>`
      SELECT event_type, component_id, actor_user_id FROM module_hub_events ORDER BY created_at`.execute(app.ctx.db)
    assert.deepEqual(
      events.map(({ event_type, component_id }) => [event_type, component_id]),
      [
        ['plan_started', null],
        ['component_installed', 'core'],
        ['component_installed', 'ext-prices'],
        ['run_finished', null],
      ],
    )
    assert.equal(events[0]?.actor_user_id, admin.id)
    assert.deepEqual((await auditOf('module_installed'))[0]?.details, {
      module: 'shop',
      runtime_scope: 'service-core',
      run: run_id,
      actions: { core: 'install', 'ext-prices': 'install' },
    })

    const again = (await ok('/shop/run', { target: 'selected', components: ['ext-prices', 'core'] })).data
    assert.deepEqual(again.result.skipped, ['core', 'ext-prices'])
    assert.equal((await auditOf('module_installed')).length, 1, 'only what happened is recorded')
    assert.equal('plan' in again, false)
    // The core component was installed above.
    assert.deepEqual(
      (await ok('/shop/dry-run', { target: 'selected', components: ['ext-discounts'] })).data.resolved_order,
      ['ext-prices', 'ext-discounts'],
    )
    assert.equal((await get('/status')).json.data.locked, false)
  })

  test('that fails in its last component leaves nothing of the first', async () => {
    const before = await wholeDatabase()
    const { status, json } = await post('/broken/run', { target: 'all' })
    assert.deepEqual([status, json.code], [500, 'MODULE_RUN_FAILED'])
    assert.deepEqual(json.details, [
      { field: 'components.ext-bad', message: 'its SQL failed; the service log contains the error' },
    ])
    const hubTables = (await wholeDatabase()).filter(({ name }) => name.startsWith('module_hub_'))
    assert.deepEqual(
      (await wholeDatabase()).filter((table) => !hubTables.some(({ name }) => name === table.name)),
      before,
    )
    assert.equal(await moduleStatus('broken'), 'not_installed')
    const { rows } = await sql<{
      event_type: string
    }>`SELECT event_type FROM module_hub_events ORDER BY created_at`.execute(app.ctx.db)
    assert.deepEqual(
      rows.map(({ event_type }) => event_type),
      ['plan_started', 'run_failed'],
    )
    const [failure] = await auditOf('module_failed')
    assert.deepEqual([failure?.outcome, failure?.details.code], ['failure', 'MODULE_RUN_FAILED'])
    assert.equal((await get('/status')).json.data.locked, false)
  })

  test('needs the modules that the module depends on', async () => {
    const { status, json } = await post('/delivery/run')
    assert.deepEqual([status, json.code], [409, 'MODULE_DEPENDENCY_ERROR'])
    assert.deepEqual(json.details, [{ field: 'depends_on', message: 'shop' }])
    await ok('/shop/run')
    await ok('/delivery/run')
    assert.deepEqual((await get('/delivery/status')).json.data.missing_dependencies, [])
  })

  test('is refused while another run is under way', async () => {
    await ok('/run')
    const until = new Date(app.clock.now() + minute)
    await app.hub.exclusive({ lock: 'moduleRun', limitMs: minute }, async () => {
      await leaveLock(until)
      for (const path of ['/shop/run', '/run', '/shop/run']) {
        const { status, json, headers } = await post(path)
        assert.deepEqual([status, json.code, headers['retry-after']], [409, 'INSTALL_LOCKED', '5'])
        assert.deepEqual(json.details, [{ field: 'lock', message: `held until ${until.toISOString()}` }])
      }
      assert.equal((await get('/status')).json.data.locked, true)
    })
    assert.equal((await get('/status')).json.data.locked, false)
    await ok('/shop/run')
  })

  test('ignores the lock of a killed run, whose lease has not run out', async () => {
    await ok('/run')
    await leaveLock(new Date(app.clock.now() + minute))
    assert.equal((await get('/status')).json.data.locked, false)
    await ok('/shop/run')
    const { rows } = await sql`SELECT FROM module_hub_locks`.execute(app.ctx.db)
    assert.equal(rows.length, 0)
  })

  test('two at once: one runs, the other is refused', async (t) => {
    const { exclusive } = app.hub
    t.after(() => Object.assign(app.hub, { exclusive }))
    const other = Promise.withResolvers<void>()
    let running = 0
    // The run that has the lock continues even if the other run was refused or is also running.
    app.hub.exclusive = (lock, work) =>
      exclusive(lock, async (attempt) => {
        if (++running === 2) other.resolve()
        await other.promise
        return work(attempt)
      }).catch((error) => {
        other.resolve()
        throw error
      })
    const codes = (await Promise.all([post('/shop/run'), post('/shop/run')])).map(({ status }) => status)
    assert.deepEqual(codes.toSorted(), [200, 409])
  })

  test('takes over what stands there already, unless it is something else', async () => {
    await run('CREATE TABLE goods (id uuid PRIMARY KEY, name text)')
    assert.deepEqual((await ok('/shop/run')).data.result.installed, ['core'])
    await run(
      'DROP TABLE goods; DELETE FROM module_hub_registry; CREATE TABLE goods (id uuid PRIMARY KEY, name integer)',
    )
    const { status, json } = await post('/shop/run')
    assert.deepEqual([status, json.code], [500, 'MODULE_RUN_FAILED'])
    assert.deepEqual(json.details, [{ field: 'components.core', message: 'goods.name exists but is not of type text' }])
    await run('DROP TABLE goods; CREATE VIEW goods AS SELECT gen_random_uuid() AS id, $$a$$ AS name')
    const { json: view } = await post('/shop/run')
    assert.deepEqual(view.details, [{ field: 'components.core', message: 'goods.id was not created' }])
    await run('DROP VIEW goods')
  })
})

describe('what is no more as it was installed', () => {
  beforeEach(async () => {
    await nothingThere()
    await ok('/shop/run', { target: 'all' })
    await run('CREATE TABLE IF NOT EXISTS parcels (id uuid)')
  })

  test('by its checksum: is shown, refused, looked over on demand, and put right on demand', async () => {
    await run(`UPDATE module_hub_registry SET checksum = 'other' WHERE component_id = 'core'`)
    const { status, checksum_ok, drift, action, installed } = await component('shop', 'core')
    assert.deepEqual([status, checksum_ok, drift, action, installed], ['drift', false, true, 'drift', true])
    assert.equal(await moduleStatus('shop'), 'drift')
    const refused = await post('/shop/run')
    assert.deepEqual([refused.status, refused.json.code], [409, 'MODULE_DRIFT'])
    assert.equal(refused.json.details[0].field, 'components.core')
    assert.deepEqual((await ok('/shop/run', { verify_checksum: false })).data.result.skipped, ['core'])
    assert.deepEqual((await ok('/shop/run', { repair_missing: true })).data.result.repaired, ['core'])
    assert.equal((await get('/shop/registry')).json.data[0].status, 'repaired')
    assert.equal(await moduleStatus('shop'), 'installed')
  })

  test('by its objects: is missing, and made again without a loss of data', async () => {
    await run(`INSERT INTO goods (id, name) VALUES (gen_random_uuid(), 'kept'); ALTER TABLE goods DROP COLUMN price`)
    const { status, drift, installed, checksum_ok } = await component('shop', 'ext-prices')
    assert.deepEqual([status, drift, installed, checksum_ok], ['missing', true, false, true])
    assert.equal((await post('/shop/run', { target: 'all' })).json.code, 'MODULE_DRIFT')
    const { result } = (await ok('/shop/run', { target: 'all', repair_missing: true })).data
    assert.deepEqual(result.repaired, ['ext-prices'])
    const { rows } = await sql<{ name: string; price: null }>`SELECT name, price FROM goods`.execute(app.ctx.db)
    assert.deepEqual(rows, [{ name: 'kept', price: null }])
  })

  test('by its version: older is upgraded along its path, newer is left alone', async () => {
    await run(`INSERT INTO goods (id, name) VALUES (gen_random_uuid(), 'tea');
      UPDATE module_hub_registry SET version = '1.0.0', checksum = 'old' WHERE component_id = 'ext-prices';
      UPDATE module_hub_registry SET version = '2.0.0' WHERE component_id = 'ext-nothing'`)
    assert.equal((await component('shop', 'ext-prices')).status, 'outdated')
    assert.equal((await component('shop', 'ext-nothing')).status, 'ahead')
    assert.equal(await moduleStatus('shop'), 'update_available')
    const { result } = (await ok('/shop/run', { target: 'all' })).data
    assert.deepEqual([result.upgraded, result.skipped], [['ext-prices'], ['core', 'ext-discounts', 'ext-nothing']])
    const { rows } = await sql<{ name: string }>`SELECT name FROM goods`.execute(app.ctx.db)
    assert.deepEqual(rows, [{ name: 'tea (priced)' }])
    assert.equal((await component('shop', 'ext-prices')).installed_version, '1.1.0')
  })

  test('a module whose core has no row is partial', async () => {
    await run(`DELETE FROM module_hub_registry WHERE component_id = 'core'`)
    assert.equal(await moduleStatus('shop'), 'partial')
  })

  test('an update takes what is older or differs, of the extensions or of those that are named', async () => {
    await run(`UPDATE module_hub_registry SET version = '1.0.0' WHERE component_id = 'ext-prices';
      UPDATE module_hub_registry SET checksum = 'other' WHERE component_id IN ('core', 'ext-discounts')`)
    const planned = async (body: object) => (await ok('/shop/update/dry-run', body)).data.resolved_order
    assert.deepEqual(await planned({}), ['ext-prices', 'ext-discounts'])
    assert.deepEqual(await planned({ verify_checksum: false }), ['ext-prices'])
    assert.deepEqual(await planned({ components: ['core'] }), ['core'])
    assert.deepEqual(await planned({ components: ['ext-nothing'] }), [])
    const { result, dry_run } = (await ok('/shop/update')).data
    assert.deepEqual([result.upgraded, result.repaired, dry_run], [['ext-prices'], ['ext-discounts'], false])
    assert.deepEqual((await ok('/shop/update')).data.resolved_order, [])
  })

  test('an update brings a newer core along when an extension needs it', async () => {
    await run(`UPDATE module_hub_registry SET version = '0.9.0' WHERE component_id IN ('core', 'ext-prices')`)
    assert.deepEqual((await ok('/shop/update', {})).data.result.upgraded, ['core', 'ext-prices'])
  })

  test('an update of what is not installed, or not known, is refused', async () => {
    await run(`DELETE FROM module_hub_registry WHERE component_id = 'ext-prices'`)
    for (const path of ['/shop/update', '/shop/update/dry-run']) {
      const { status, json } = await post(path, { components: ['ext-prices'] })
      assert.deepEqual([status, json.code], [404, 'module_not_installed'])
      assert.deepEqual(json.details, [{ field: 'component', message: 'shop/ext-prices' }])
      const unknown = await post(path, { components: ['ext-unknown'] })
      assert.deepEqual([unknown.status, unknown.json.details[0].field], [400, 'components'])
      assert.equal((await post(path.replace('shop', 'delivery'))).json.code, 'module_not_installed')
    }
  })

  test('another scope has a registry of its own over the same objects', async () => {
    assert.deepEqual((await get('/shop/registry', { runtime_scope: 'other' })).json.data, [])
    const { data } = await ok('/shop/run', { runtime_scope: 'other' })
    assert.deepEqual(data.result.installed, ['core'])
    assert.equal((await get('/shop/registry', { runtime_scope: 'other' })).json.data.length, 1)
    assert.equal((await get('/shop/status', { runtime_scope: 'other' })).json.data.runtime_scope, 'other')
  })
})

test('a run that takes too long is rolled back, and holds the lock no more', async () => {
  await nothingThere()
  const slow = makeModule({
    id: 'slow',
    components: {
      core: { sql: 'CREATE TABLE snails (id uuid); SELECT pg_sleep(0.6)', objects: { snails: { id: 'uuid' } } },
    },
  })
  const [module] = loadModules([slow])
  const ctx = { ...app.ctx, config: { ...app.ctx.config, MODULE_RUN_TIMEOUT: 300 } }
  const request = {
    target: 'core' as const,
    components: [],
    runtime_scope: 'service-core',
    verify_checksum: true,
    repair_missing: false,
  }
  await assert.rejects(runInstall(ctx, app.hub, { module: module!, request }), (error: AppError) => {
    assert.deepEqual(
      [error.code, error.details],
      ['MODULE_RUN_FAILED', [{ field: 'run', message: 'MODULE_RUN_TIMEOUT was exceeded' }]],
    )
    return true
  })
  assert.ok((await wholeDatabase()).every(({ name }) => name !== 'snails'))
  assert.equal((await get('/status')).json.data.locked, false)
})
