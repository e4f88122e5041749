import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlace } from './place.ts'

test('webhooks are created, changed and deleted from the command line', async (t) => {
  const { run, runProcess, env } = await openPlace(t)
  const webhook = (args: string[]) => run(['webhook', ...args], { env })
  const create = ['webhook', 'create', 'https://hooks.example.com/in', '--events', 'user.*, session.ended']
  const created = await runProcess(create, { env })
  assert.equal(created.code, 0, created.stderr)
  const [, id = '', secret = ''] =
    /^webhook {2}(\S+)\nsecret {3}(whsec_[A-Za-z0-9+/]{43}=)\n$/.exec(created.stdout) ?? []
  assert.match(id, /^[0-9a-f-]{36}$/, created.stdout)
  const list = (await webhook(['list'])).stdout
  assert.match(list, new RegExp(`^${id} +enabled +0 +0 +user\\.\\*,session\\.ended +https://hooks`, 'm'))
  const json = (await webhook(['list', '--json'])).stdout
  assert.deepEqual(JSON.parse(json).webhooks[0].events, ['user.*', 'session.ended'])
  assert.ok(!json.includes(secret))

  const given = { env, input: 'Authorization: Bearer of:the service\n\nX-Tenant: 7\n' }
  assert.equal((await run(['webhook', 'update', id, '--headers-stdin'], given)).code, 0)
  const withHeaders = (await webhook(['list', '--json'])).stdout
  assert.deepEqual(JSON.parse(withHeaders).webhooks[0].headers, ['authorization', 'x-tenant'])
  assert.ok(!withHeaders.includes('Bearer'))
  assert.equal((await run(['webhook', 'update', id, '--headers-stdin'], { ...given, input: '' })).code, 0)
  assert.deepEqual(JSON.parse((await webhook(['list', '--json'])).stdout).webhooks[0].headers, [])
  const refused = await run(['webhook', 'update', id, '--headers-stdin'], { ...given, input: 'Host: elsewhere' })
  assert.match(refused.stderr, /^headers must not contain host, which the service sets/)

  assert.equal((await webhook(['update', id, '--disable', '--events', '*'])).code, 0)
  assert.match((await webhook(['list'])).stdout, new RegExp(`^${id} +disabled +0 +0 +\\* `, 'm'))
  const rotated = (await webhook(['rotate-secret', id])).stdout
  assert.match(rotated, /^secret {3}whsec_/)
  assert.ok(!rotated.includes(secret))
  assert.equal(
    (await webhook(['replay', id, '--from', '2026-01-01T00:00:00Z'])).stdout,
    '0 events are delivered again.\n',
  )
  assert.match((await webhook(['deliveries', id, '--status', 'failed'])).stdout, /^ID .*\n0 of 0\n$/)
  assert.equal((await webhook(['delete', id])).code, 0)
  assert.doesNotMatch((await webhook(['list'])).stdout, /hooks\.example\.com/)
})

test('commands for unknown webhooks and with invalid values change nothing and exit with 1', async (t) => {
  const { run, env } = await openPlace(t)
  const unknown = '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf'
  const rejections: [args: string[], sentence: RegExp][] = [
    [['create', 'http://10.0.0.1/', '--events', 'nothing'], /^url must begin with https\nevents must contain types/],
    [['update', unknown, '--enable', '--disable'], /^--enable and --disable exclude each other/],
    [['update', unknown], /^Nothing to change/],
    [['update', unknown, '--enable'], /^There is no such webhook/],
    [['test', unknown], /^There is no such webhook/],
    [['replay', unknown], /^Pass --delivery, --failed or --from/],
    [['deliveries', unknown, '--status', 'lost'], /^--status must be/],
    [['delete', 'none'], /^There is no such webhook/],
  ]
  for (const [args, sentence] of rejections) {
    const { code, stdout, stderr } = await run(['webhook', ...args], { env })
    assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    assert.match(stderr, sentence, args.join(' '))
  }
})
