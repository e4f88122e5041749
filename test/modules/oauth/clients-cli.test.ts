// Setup: embedded database
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPlace } from '../../cli/place.ts'

test('clients and resources are managed from the command line', async (t) => {
  const { run, env, dataDir } = await openPlace(t)
  const ok = async (args: string[], input?: string) => {
    const { code, stdout, stderr } = await run(args, { env, ...(input !== undefined && { input }) })
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
    return stdout
  }
  const oauth = (args: string[], input?: string) => ok(['oauth', ...args], input)
  for (const id of ['api-keys', 'oauth']) await ok(['module', 'install', id, '--all'])
  await ok(['user', 'create', '--email', 'ada@example.com'])
  await ok(['application', 'create', 'billing', '--name', 'Billing', '--kind', 'service'])
  const declaration = join(dataDir, 'permissions.json')
  const permissions = [{ key: 'invoices:read', title: { en: 'See invoices' } }]
  writeFileSync(declaration, JSON.stringify({ application: 'billing', permissions }))
  await ok(['permissions', 'apply', declaration])
  const owner = ['--owners', 'ada@example.com', '--scopes', 'invoices:read']
  await ok(['api-keys', 'service-account-create', 'Worker', ...owner])

  const api = 'https://api.example.com'
  const made = JSON.parse(await oauth(['resource-create', api, '--application', 'billing', '--ttl', '5m', '--json']))
  assert.match(await oauth(['resource-list']), new RegExp(`${made.id}  enabled  jwt  billing  ${api}`))
  const machine = ['--service-account', 'Worker', '--scopes', 'invoices:read', '--resources', api]
  const file = join(dataDir, 'secret')
  const created = await oauth([
    ...['client-create', 'machine', '--application', 'billing', '--client-id', 'worker', ...machine],
    ...['--secret-file', file, '--json'],
  ])
  const secret = readFileSync(file, 'utf8').trim()
  assert.match(secret, /^wcs_[0-9A-Za-z]{49}$/)
  assert.ok(!created.includes(secret))
  const shown = JSON.parse(await oauth(['client-show', 'worker', '--json']))
  assert.deepEqual([shown.scopes, shown.resources, shown.secrets.length], [['invoices:read'], [made.id], 1])
  const settings = await oauth(['client-show', 'worker', '--settings', 'curl'])
  assert.match(settings, new RegExp(`-u 'worker':.*--data-urlencode 'resource=${api}'`, 's'))
  assert.match(await oauth(['client-rotate-secret', 'worker', '--overlap', '1h']), /^wcs_[0-9A-Za-z]{49}\n$/)

  const brought = await oauth(
    ['client-create', 'resource_server', '--application', 'billing', '--client-id', 'api', '--secret-stdin'],
    'an-old-secret-of-24-characters\n',
  )
  assert.match(brought, /The client api was created with the secret that you passed/)
  const program = ['client-create', '--application', 'billing', '--template', 'machine', '--service-account', 'Worker']
  const printed = await oauth([...program, '--client-id', 'nightly'])
  assert.match(printed, /^wcs_[0-9A-Za-z]{49}\n\n.*-u 'nightly':.*invoices:read/s)
  const nightly = JSON.parse(await oauth(['client-show', 'nightly', '--json']))
  assert.deepEqual([nightly.type, nightly.scopes, nightly.resources], ['machine', ['invoices:read'], [made.id]])
  const web = ['client-create', '--application', 'billing', '--template', 'grafana', '--host', 'grafana.example.com']
  const grafana = await oauth([...web, '--client-id', 'grafana', '--trusted', 'true'])
  assert.match(grafana, /^wcs_[0-9A-Za-z]{49}\n\n# grafana\.ini\n.*client_id = grafana\n/s)
  const json = JSON.parse(await oauth([...web, '--client-id', 'grafana-2', '--json']))
  assert.deepEqual([json.id, json.key.slice(0, 4), json.settings.slice(0, 13)], ['grafana-2', 'wcs_', '# grafana.ini'])
  assert.match(await oauth(['grants-list', '--user', 'ada@example.com']), /No application uses the account/)
  assert.match(await oauth(['grants-list', '--client', 'grafana']), /The client has access to no account/)
  const ofAda = ['grants-end', '--user', 'ada@example.com', '--client', 'grafana', '--json']
  assert.deepEqual(JSON.parse(await oauth(ofAda)), { ended: 0 })
  assert.equal(await oauth(['grants-end', '--client', 'grafana']), '0 accesses have ended.\n')
  for (const wrong of [['grants-end'], ['grants-list'], ['grants-end', '--client', 'nothing']])
    assert.notEqual((await run(['oauth', ...wrong], { env })).code, 0, wrong.join(' '))
  const addresses = ['--redirect-uri', 'https://a.example.com/', '--redirect-uri=https://b.example.com/']
  const spa = ['client-create', 'spa', '--application', 'billing', '--client-id', 'shop', '--scopes', 'openid']
  assert.match(
    await oauth([...spa, ...addresses, '--allowed-origin', 'https://a.example.com', '--refresh-idle', '1d']),
    /The client shop was created\. Clients of this type have no secret/,
  )
  await oauth(['client-update', 'shop', '--allowed-origin', '', '--allowed-type', 'customer', '--refresh-idle', ''])
  const shop = JSON.parse(await oauth(['client-show', 'shop', '--json']))
  assert.deepEqual(
    [shop.redirect_uris, shop.allowed_origins, shop.allowed_types, shop.refresh_idle_ttl, shop.auth_method],
    [['https://a.example.com/', 'https://b.example.com/'], [], ['customer'], null, 'none'],
  )
  assert.match(await oauth(['client-disable', 'worker']), /disabled/)
  assert.match(await oauth(['client-update', 'worker', '--enable']), /changed/)
  assert.match(await oauth(['client-list']), /worker {2}machine {2}enabled {2}used never/)
  await oauth(['client-delete', 'worker'])
  await oauth(['resource-update', api, '--disable'])
  await oauth(['resource-delete', api])
  for (const [args, problem] of [
    [['client-show', 'worker'], /There is no such client/],
    [['client-show', 'api', '--settings', 'apache'], /The client has no resources/],
    [['client-show', 'api', '--settings', 'curl'], /--settings must be one of apache, go, node, python, spring/],
    [['client-create', 'person', '--application', 'billing'], /The type must be one of machine, resource_server/],
    [['resource-create', api], /Pass --application/],
    [['resource-create', api, '--application', 'nothing'], /There is no application "nothing"/],
    [['client-update', 'api'], /Nothing to change/],
    [['client-update', 'shop', '--trusted', 'yes'], /--trusted must be one of true, false/],
    [['client-update', 'shop', '--redirect-uri', 'http://a.example.com/'], /redirect_uris .*must be https/],
    [['client-rotate-secret', 'shop'], /has no secret/],
    [['client-create', '--application', 'billing'], /Pass the type/],
    [['client-create', '--application', 'billing', '--template', 'grafana'], /Pass --host/],
    [['client-create', '--template', 'grafanna', '--host', 'a.example.com'], /--template must be one of machine, /],
    [
      ['client-create', 'spa', '--template', 'grafana', '--host', 'a.example.com'],
      /The template grafana has the type web/,
    ],
  ] as const) {
    const { code, stderr } = await run(['oauth', ...args], { env })
    assert.equal(code, 1)
    assert.match(stderr, problem)
  }
})
