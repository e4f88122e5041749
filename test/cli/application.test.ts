import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlace } from './place.ts'

test('applications are added, changed and deleted from the command line', async (t) => {
  const { run, runProcess, env } = await openPlace(t)
  const application = (...args: string[]) => run(['application', ...args], { env })
  const list = async () => (await application('list')).stdout
  const created = await runProcess(
    ['application', 'create', 'shop', '--name', 'Shop', '--return-addresses', 'https://shop.example.com, shop://'],
    { env },
  )
  assert.equal(created.code, 0, created.stderr)
  assert.match(await list(), /^shop +enabled +website +Shop +https:\/\/shop\.example\.com,shop:\/\/$/m)

  assert.equal((await application('update', 'shop', '--kind', 'mobile', '--origins', 'https://a.example.com')).code, 0)
  const shown = JSON.parse((await application('show', 'shop')).stdout)
  assert.deepEqual([shown.kind, shown.name, shown.origins], ['mobile', 'Shop', ['https://a.example.com']])
  assert.equal((await application('update', 'shop', '--development', '--origins', 'http://localhost')).code, 0)
  assert.match((await application('update', 'shop', '--no-development')).stderr, /^origins contains http:\/\/localhost/)
  assert.equal((await application('update', 'shop', '--no-development', '--origins', '')).code, 0)

  assert.equal((await application('disable', 'shop')).stdout, 'The application is disabled.\n')
  assert.match(await list(), /^shop +disabled /m)
  assert.equal((await application('enable', 'shop')).stdout, 'The application is enabled.\n')
  assert.equal((await application('delete', 'shop')).code, 0)
  assert.match(await list(), /^shop +deleted /m)
  assert.equal((await application('restore', 'shop')).code, 0)
  const { applications } = JSON.parse((await application('list', '--json')).stdout)
  assert.deepEqual([applications.length, applications[0].deleted_at], [1, null])
})

test('commands for unknown applications and with invalid values change nothing and exit with 1', async (t) => {
  const { run, env } = await openPlace(t)
  const rejections: [args: string[], sentence: RegExp][] = [
    [['create', 'Shop'], /^key must/],
    [['create', 'shop', '--kind', 'desktop'], /^--kind must be one of website/],
    [['create', 'shop', '--return-addresses', 'https://*.example.com'], /^return_addresses must not contain wildcards/],
    [['create', 'shop', '--origins', 'http://a.example.com'], /^origins contains http:.*must be https/],
    [['update', 'shop'], /^Nothing to change/],
    [['update', 'shop', '--name', 'Shop'], /^There is no such application/],
    [['show', 'shop'], /^There is no such application/],
    [['disable', 'shop'], /^There is no such application/],
    [['delete', 'shop'], /^There is no such application/],
    [['restore', 'shop'], /^There is no such application/],
  ]
  for (const [args, sentence] of rejections) {
    const { code, stdout, stderr } = await run(['application', ...args], { env })
    assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    assert.match(stderr, sentence, args.join(' '))
  }
})
