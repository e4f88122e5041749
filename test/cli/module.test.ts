import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openEmbedded } from '../../src/db/embedded/open.ts'
import { startService } from '../support/child.ts'
import { openWorkplace } from './run-command.ts'

test('modules are listed, planned, installed and looked at', async (t) => {
  const { run, dataDir } = await openWorkplace(t)
  const env = { DATA_DIR: dataDir }
  const say = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(['module', ...words], { env })
    assert.equal(code, 0, stderr)
    return stdout
  }
  assert.match(await say('list'), /^two-factor +1\.0\.0 +not_installed/m)
  assert.equal(await say('plan', 'two-factor', '--all'), 'core: install\n')
  assert.equal(await say('install', 'two-factor'), 'core: installed\n')
  assert.match(
    await say('install', 'blog'),
    /does not enable it: set BLOG_ENABLED=true, for example with "wardenry settings set"$/m,
  )
  assert.match(await say('install', 'post-types'), /set BLOG_ENABLED=true POST_TYPES_ENABLED=true, /m)
  assert.match(await say('status', 'two-factor'), /^core +installed +1\.0\.0 +1\.0\.0 +skip$/m)

  for (const [words, complaint] of [
    [['install', 'two-facter'], /There is no module "two-facter"\. Modules: two-factor/],
    [['install', 'privacy', '--components', ','], /components must name at least one/],
  ] as const) {
    const { code, stderr, stdout } = await run(['module', ...words], { env })
    assert.notEqual(code, 0)
    assert.match(stderr + stdout, complaint)
  }

  const service = await startService({ DATA_DIR: dataDir })
  t.after(() => service.stop())
  const busy = await run(['module', 'install', 'privacy'], { env })
  assert.equal(busy.code, 1)
  assert.match(busy.stderr, /\/api\/v1\/modules\/install\/<module>\/run/)
})

test('a damaged module is a problem for doctor, and is repaired although a start would refuse it', async (t) => {
  const { run, dataDir } = await openWorkplace(t)
  const env = { DATA_DIR: dataDir, MODULES_AUTO_INSTALL: 'privacy' }
  assert.equal((await run(['module', 'install', 'privacy'], { env })).code, 0)
  assert.match((await run(['doctor'], { env })).stdout, /✓ Modules +all unchanged since their installation/)
  for (const [flag, text, expected] of [
    [
      '--repair-missing',
      'ALTER TABLE users DROP COLUMN privacy_region',
      /privacy\/core is missing .*[\s\S]*the service does not start/,
    ],
    ['--repair', 'DROP TRIGGER user_privacy_events_kept ON user_privacy_events', /trigger user_privacy_events_kept on/],
  ] as const) {
    const embedded = await openEmbedded({ dataDir, archive: undefined })
    await embedded.query(text)
    await embedded.close()
    const { code, stdout } = await run(['doctor'], { env })
    assert.equal(code, 1)
    assert.match(stdout, expected)
    assert.match(stdout, /Repair: wardenry module install privacy --components core --repair-missing/)
    assert.match((await run(['module', 'status', 'privacy'], { env })).stdout, /^core +missing/m)
    const repaired = await run(['module', 'install', 'privacy', '--components', 'core', flag], { env })
    assert.equal(repaired.stdout, 'core: repaired\n', repaired.stderr)
    assert.equal((await run(['doctor'], { env })).code, 0)
  }
})

test('doctor notices what the core has lost', async (t) => {
  const { run, dataDir } = await openWorkplace(t)
  const env = { DATA_DIR: dataDir }
  assert.equal((await run(['migrate'], { env })).code, 0)
  assert.match((await run(['doctor'], { env })).stdout, /✓ Schema .* none missing/)
  const embedded = await openEmbedded({ dataDir, archive: undefined })
  await embedded.query('ALTER TABLE audit_events DISABLE TRIGGER audit_events_stay')
  await embedded.query('DROP INDEX users_search')
  await embedded.close()
  const { code, stdout } = await run(['doctor'], { env })
  assert.equal(code, 1)
  assert.match(stdout, /✗ Schema [\s\S]*index users_search \(src\/db\/migrations\/\d+_\w+\.sql\)/)
  assert.match(stdout, /trigger audit_events_stay on audit_events/)
})

test('a module of MODULE_PATHS brings its commands', async (t) => {
  const { run, dataDir } = await openWorkplace(t)
  const env = { DATA_DIR: dataDir, MODULE_PATHS: join(import.meta.dirname, '../../examples/module-notes') }
  const early = await run(['module-notes', 'count'], { env })
  assert.match(early.stderr, /wardenry module install module-notes --all/)
  assert.equal((await run(['module', 'install', 'module-notes', '--all'], { env })).code, 0)
  assert.equal((await run(['module-notes', 'count'], { env })).stdout, '0 notes\n')
})

test('a module that cannot be loaded is reported, and the help still appears', async (t) => {
  const { run } = await openWorkplace(t)
  const { code, stdout, stderr } = await run(['--help'], { env: { MODULE_PATHS: '/nowhere/at-all' } })
  assert.equal(code, 0)
  assert.match(stdout, /doctor/)
  assert.match(stderr, /MODULE_PATHS contains \/nowhere\/at-all/)
})
