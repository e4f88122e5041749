import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createApp } from '../../src/app.ts'
import type { Setting } from '../../src/config/kinds.ts'
import { loadConfig } from '../../src/config/load.ts'
import { settings } from '../../src/config/settings.ts'
import { readStored, withStored } from '../../src/config/stored-values.ts'
import { connectDatabase } from '../../src/db/connect.ts'
import { createLogger } from '../../src/lib/log.ts'
import { signedInAs, withSession } from '../support/people.ts'
import { startTestApp } from '../support/test-app.ts'

const environment = { NODE_ENV: 'test', AUTH_SECRET: 'auth-Zk3vQ8mN1xR6tY9wL4cB7dHs2JfGpVeU' }

test('a value that an upgrade made invalid is ignored and reported, and the others are used', async (t) => {
  const app = await startTestApp()
  t.after(() => app.stop())
  await sql`INSERT INTO stored_settings (name, value, version, changed_at) VALUES
    ('APP_NAME', 'Harbour', 1, now()), ('APP_ACCENT', 'no colour', 2, now()), ('GONE', '1', 3, now()),
    ('PORT', '1', 4, now()), ('AUTH_SECRET', 'stolen', 5, now()), ('DEFAULT_LANG', '??', 6, now())`.execute(app.ctx.db)
  await app.ctx.settings.refreshAll()
  assert.equal(app.ctx.config.APP_NAME, 'Harbour')
  assert.deepEqual([...app.ctx.settings.ignored().keys()].toSorted(), ['APP_ACCENT', 'DEFAULT_LANG', 'GONE', 'PORT'])
  assert.notEqual(app.ctx.config.AUTH_SECRET, 'stolen')
  assert.notEqual(app.ctx.config.PORT, 1)
  assert.match(app.logged(), /"setting":"APP_ACCENT"[^\n]+is ignored/)
  const superadmin = await signedInAs(app, 'superadmin')
  const { json } = await app.get('/auth/admin/settings', withSession(superadmin.sessionToken))
  const accent = json.data.settings.find(({ name }: { name: string }) => name === 'APP_ACCENT')
  assert.deepEqual(accent.unused, { value: 'no colour', problem: 'must be a colour such as #17614c' })
  assert.equal(accent.source, 'default')
})

test('as many values as possible are used if some contradict each other', () => {
  const start = loadConfig({ ...environment, PASSWORD_BREACH_CHECK: '' })
  const given = loadConfig({ ...environment, APP_NAME: 'Fixed' })
  assert.equal(withStored(given, [{ name: 'APP_NAME', value: 'Harbour' }]).config.APP_NAME, 'Fixed')
  const { config, ignored } = withStored(start, [
    { name: 'APP_NAME', value: 'Harbour' },
    { name: 'DEFAULT_LANG', value: '??' },
    { name: 'TWO_FACTOR_REQUIRED_FOR', value: 'nobody' },
  ])
  assert.equal(config.APP_NAME, 'Harbour')
  assert.deepEqual([...ignored.keys()], ['DEFAULT_LANG', 'TWO_FACTOR_REQUIRED_FOR'])
  assert.ok(Object.isFrozen(config))
  assert.equal(withStored(start, []).config, start)
})

test('no secret and no setting with a file on the server can be stored', () => {
  for (const name of ['PORT', 'AUTH_SECRET', 'STORAGE_URL'])
    assert.match((readStored(name, 'x') as Error).message, /cannot be changed/)
  for (const [name, { secret, changeable, type, readStored: other }] of Object.entries<Setting<unknown>>(settings)) {
    if (secret) assert.ok(!changeable, name)
    if (changeable && type.startsWith('file')) assert.ok(other, `${name} would read a file of the server`)
  }
  assert.match((readStored('APP_LOGO', '/etc/hosts') as Error).message, /must be an SVG, PNG or WebP picture/)
})

/** These settings are read at startup, but the value is not kept. */
const mayReadAtStart = new Set(['APP_NAME'])

test('no changeable setting is read while the service starts, because the value would become stale', async (t) => {
  const early = new Set<string>()
  let started = false
  const config = new Proxy(loadConfig(environment), {
    get(target, name, receiver) {
      if (!started && typeof name === 'string' && settings[name]?.changeable) early.add(name)
      return Reflect.get(target, name, receiver)
    },
  })
  const database = await connectDatabase({
    url: undefined,
    poolMax: 1,
    dataDir: undefined,
    archive: undefined,
    onDown() {},
  })
  const app = await createApp({ config, log: createLogger('silent', [], () => {}), database })
  t.after(() => app.stop())
  started = true
  assert.deepEqual(
    [...early].filter((name) => !mayReadAtStart.has(name)),
    [],
  )
})
