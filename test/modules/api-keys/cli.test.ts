// Setup: embedded database
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPlace } from '../../cli/place.ts'

test('service accounts and their keys are managed from the command line', async (t) => {
  const { run, env, dataDir } = await openPlace(t)
  const ok = async (args: string[], input?: string) => {
    const { code, stdout, stderr } = await run(args, { env, ...(input !== undefined && { input }) })
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
    return stdout
  }
  const keys = (args: string[]) => ok(['api-keys', ...args])
  await ok(['module', 'install', 'api-keys', '--all'])
  await ok(['user', 'create', '--email', 'ada@example.com'])
  const given = ['--owners', 'ada@example.com', '--scopes', 'wardenry:users:read,wardenry:audit:read']
  const { id } = JSON.parse(await keys(['service-account-create', 'Deployment', ...given, '--json']))
  assert.match(await keys(['service-account-list']), new RegExp(`${id}  enabled  0 keys  ada@example.com  Deployment`))

  const file = join(dataDir, 'key')
  const created = await keys(['create', 'Deployment', '--name', 'ci', '--secret-file', file, '--json'])
  const key = readFileSync(file, 'utf8').trim()
  assert.ok(!created.includes(key))
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.match(key, /^wks_[0-9A-Za-z]{49}$/)
  const made = JSON.parse(created)
  assert.deepEqual(made.scopes, ['wardenry:audit:read', 'wardenry:users:read'])

  const rotated = await keys(['rotate', made.id, '--overlap', '0s'])
  assert.match(rotated, /^wks_[0-9A-Za-z]{49}\n$/)
  const [current, former] = JSON.parse(await keys(['list', '--service-account', id, '--json']))
  assert.deepEqual([current.status, former.status, former.end_reason], ['active', 'ended', 'rotated'])
  assert.match(await keys(['revoke', current.id]), /was revoked/)
  assert.match(await keys(['revoke', current.id]), /had already ended/)

  await keys(['service-account-disable', 'Deployment'])
  await keys(['service-account-update', 'Deployment', '--enable', '--name', 'Build'])
  assert.match(await keys(['service-account-list']), /enabled {2}0 keys {2}ada@example.com {2}Build/)
  await keys(['service-account-delete', 'Build'])
  assert.match(await keys(['service-account-list']), /There are no service accounts/)
  const wrong = await run(['api-keys', 'create', 'Build'], { env })
  assert.match(wrong.stderr, /There is no service account "Build"/)
})
