import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPlace } from './place.ts'

test('roles are created, changed, given to users and deleted from the command line', async (t) => {
  const { run, runProcess, env } = await openPlace(t)
  const role = (args: string[]) => run(['role', ...args], { env })
  const given = ['--name', 'Moderator', '--permissions', 'users:read, users:block']
  const created = await runProcess(['role', 'create', 'moderator', ...given], { env })
  assert.equal(created.code, 0, created.stderr)
  assert.match(created.stdout, /^The role moderator was created\./)
  const list = (await role(['list'])).stdout
  assert.match(list, /^support +support +0 +\d+ \(built-in\)$/m)
  assert.match(list, /^moderator +Moderator +0 +users:block,users:read$/m)

  assert.equal((await role(['update', 'moderator', '--description', 'Blocks spam'])).code, 0)
  const sensitive = ['update', 'moderator', '--permissions', 'users:read,settings:write']
  const asked = await role(sensitive)
  assert.deepEqual([asked.code, asked.stdout], [1, ''])
  assert.match(asked.stderr, /^With settings:write, users .*\nAdd --yes to confirm\. Nothing was changed/)
  assert.equal((await role([...sensitive, '--yes'])).code, 0)
  assert.equal((await role(sensitive)).code, 0, 'the role has it already')
  const json = JSON.parse((await role(['list', '--json'])).stdout)
  const shown = json.roles.find(({ key }: { key: string }) => key === 'moderator')
  assert.deepEqual(
    [shown.name, shown.description, shown.permissions],
    ['Moderator', 'Blocks spam', ['settings:write', 'users:read']],
  )
  assert.ok(
    json.permissions.some(
      ({ key, sensitive }: { key: string; sensitive: boolean }) => key === 'settings:write' && sensitive,
    ),
  )

  const user = ['user', 'create', '--email', 'ada@example.com', '--role', 'moderator']
  const invited = await run(user, { env })
  assert.equal(invited.code, 0, invited.stderr)
  const inUse = await role(['delete', 'moderator'])
  assert.deepEqual([inUse.code, inUse.stdout], [1, ''])
  assert.match(inUse.stderr, /^One user has this role\. Give them another one first/)
  assert.equal((await run(['user', 'set-role', 'ada@example.com', 'customer'], { env })).code, 0)
  assert.equal((await role(['delete', 'moderator'])).code, 0)
  assert.doesNotMatch((await role(['list'])).stdout, /moderator/)
})

test('giving an application role with a sensitive permission is confirmed', async (t) => {
  const { run, env, dataDir } = await openPlace(t)
  const file = join(dataDir, 'billing.json')
  const permissions = [{ key: 'invoices:pay', sensitive: true }]
  const roles = [{ key: 'payer', name: 'Payer', permissions: ['invoices:pay'] }]
  const ok = async (...args: string[]) => assert.equal((await run(args, { env })).code, 0, args.join(' '))
  await ok('user', 'create', '--email', 'ada@example.com')
  writeFileSync(file, JSON.stringify({ application: 'billing', permissions, roles }))
  await ok('application', 'create', 'billing', '--name', 'Billing', '--kind', 'service')
  await ok('permissions', 'apply', file)
  const give = ['user', 'set-role', 'ada@example.com', 'payer', '--application', 'billing']
  const asked = await run(give, { env })
  assert.deepEqual([asked.code, asked.stdout], [1, ''])
  assert.match(asked.stderr, /^The role billing:payer has a sensitive permission\.\nAdd --yes to confirm/)
  assert.match((await run([...give, '--yes'], { env })).stdout, /has the role billing:payer/)
})

test('commands for unknown roles and with invalid values change nothing and exit with 1', async (t) => {
  const { run, env } = await openPlace(t)
  const before = (await run(['role', 'list'], { env })).stdout
  const rejections: [args: string[], sentence: RegExp][] = [
    [['create', 'Support!', '--permissions', 'users:reed'], /^key must have 2 to 40 .*\npermissions must contain perm/],
    [['create', 'support'], /^key is the name of another user type/],
    [['create', 'empty', '--name', ''], /^name must be 1 to 80 visible characters/],
    [['update', 'none'], /^Nothing to change/],
    [['update', 'none', '--name', 'x'], /^There is no such role/],
    [['update', 'support', '--name', 'x'], /^There is no such role/],
    [['delete', 'superadmin'], /^There is no such role/],
  ]
  for (const [args, sentence] of rejections) {
    const { code, stdout, stderr } = await run(['role', ...args], { env })
    assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    assert.match(stderr, sentence, args.join(' '))
  }
  assert.equal((await run(['role', 'list'], { env })).stdout, before)
})
