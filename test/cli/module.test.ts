import assert from 'node:assert/strict'
import { test } from 'node:test'
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
  assert.match(await say('install', 'blog'), /start the service with BLOG_ENABLED=true$/m)
  assert.match(await say('install', 'post-types'), /start the service with BLOG_ENABLED=true POST_TYPES_ENABLED=true$/m)
  assert.match(await say('status', 'two-factor'), /^core +installed +1\.0\.0 +1\.0\.0 +skip$/m)

  for (const [words, complaint] of [
    [['install', 'two-facter'], /There is no module "two-facter", but two-factor/],
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
