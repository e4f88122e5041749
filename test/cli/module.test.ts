import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPlace } from './place.ts'
import { openWorkplace } from './run-command.ts'

test('modules are listed, planned, installed and looked at', async (t) => {
  const { run, runProcess, env } = await openPlace(t)
  const say = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(['module', ...words], { env })
    assert.equal(code, 0, stderr)
    return stdout
  }
  assert.match(await say('list'), /^two-factor +1\.0\.0 +not_installed/m)
  assert.equal(await say('plan', 'two-factor', '--all'), 'core: install\n')
  const installed = await runProcess(['module', 'install', 'two-factor'], { env })
  assert.deepEqual([installed.code, installed.stdout], [0, 'core: installed\n'], installed.stderr)
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
})

test('a damaged module is a problem for doctor, and is repaired although a start would refuse it', async (t) => {
  const { run, env: place, query } = await openPlace(t)
  const env = { ...place, MODULES_AUTO_INSTALL: 'privacy' }
  assert.equal((await run(['module', 'install', 'privacy'], { env })).code, 0)
  assert.match((await run(['doctor'], { env })).stdout, /✓ Modules +all unchanged since their installation/)
  for (const [flag, text, expected] of [
    [
      '--repair-missing',
      'ALTER TABLE users DROP COLUMN privacy_region',
      /privacy\/core is missing .*[\s\S]*the service does not start/,
    ],
    [
      '--repair-missing',
      'DROP TRIGGER user_privacy_events_kept ON user_privacy_events',
      /trigger user_privacy_events_kept on/,
    ],
  ] as const) {
    await query(text)
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
  const { run, env, query } = await openPlace(t)
  assert.equal((await run(['migrate'], { env })).code, 0)
  assert.match((await run(['doctor'], { env })).stdout, /✓ Schema .* none missing/)
  await query('ALTER TABLE audit_events DISABLE TRIGGER audit_events_stay')
  await query('DROP INDEX users_search')
  const { code, stdout } = await run(['doctor'], { env })
  assert.equal(code, 1)
  assert.match(stdout, /✗ Schema [\s\S]*index users_search \(src\/db\/migrations\/\d+_\w+\.sql\)/)
  assert.match(stdout, /trigger audit_events_stay on audit_events/)
})

test('a module of MODULE_PATHS brings its commands', async (t) => {
  const { runProcess, env: place } = await openPlace(t)
  const env = { ...place, MODULE_PATHS: join(import.meta.dirname, '../../examples/module-notes') }
  const early = await runProcess(['module-notes', 'count'], { env })
  assert.match(early.stderr, /wardenry module install module-notes --all/)
  assert.equal((await runProcess(['module', 'install', 'module-notes', '--all'], { env })).code, 0)
  assert.equal((await runProcess(['module-notes', 'count'], { env })).stdout, '0 notes\n')
})

test('a module that cannot be loaded is reported, and the help still appears', async (t) => {
  const { runProcess } = await openWorkplace(t)
  const { code, stdout, stderr } = await runProcess(['--help'], { env: { MODULE_PATHS: '/nowhere/at-all' } })
  assert.equal(code, 0)
  assert.match(stdout, /doctor/)
  assert.match(stderr, /MODULE_PATHS contains \/nowhere\/at-all/)
})
