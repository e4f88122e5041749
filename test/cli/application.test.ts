import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPlace } from './place.ts'

test('applications are added, changed and deleted from the command line', async (t) => {
  const { run, runProcess, env, directory } = await openPlace(t)
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

  const picture = join(directory, 'logo.svg')
  await writeFile(picture, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"/>')
  const look = ['--accent', '#abc', '--logo', picture, '--terms-url', 'https://shop.example.com/terms']
  assert.equal((await application('update', 'shop', ...look, '--sign-out-url', 'https://shop.example.com/bye')).code, 0)
  const own = JSON.parse((await application('show', 'shop')).stdout)
  assert.deepEqual([own.accent, own.logo.width, own.terms_url], ['#aabbcc', 20, 'https://shop.example.com/terms'])
  assert.equal((await application('update', 'shop', '--logo', '', '--sign-out-url', '')).code, 0)
  const later = JSON.parse((await application('show', 'shop')).stdout)
  assert.deepEqual([later.accent, later.logo, later.sign_out_url], ['#aabbcc', null, null])
  const google = { ...env, GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
  const restrict = (...methods: string[]) =>
    run(['application', 'update', 'shop', '--no-registration', '--sign-in-methods', ...methods], { env: google })
  assert.match(
    (await restrict('github')).stderr,
    /^sign_in_methods must contain a way to sign in that the settings allow/,
  )
  assert.match((await restrict('pigeon')).stderr, /^sign_in_methods must contain only password/)
  assert.equal((await restrict('google')).code, 0)
  const { sign_in_methods, registration } = JSON.parse((await application('show', 'shop')).stdout)
  assert.deepEqual([sign_in_methods, registration], [['google'], false])
  assert.match((await run(['doctor'], { env: google })).stdout, /✓ Applications/)
  assert.match((await run(['doctor'], { env })).stdout, /✗ Applications[^✓]*nobody can sign in[^✓]*shop: google/)
  assert.equal((await application('update', 'shop', '--registration', '--sign-in-methods', '')).code, 0)

  assert.equal((await application('disable', 'shop')).stdout, 'The application is disabled.\n')
  assert.match(await list(), /^shop +disabled /m)
  assert.equal((await application('enable', 'shop')).stdout, 'The application is enabled.\n')
  assert.equal((await application('delete', 'shop')).code, 0)
  assert.match(await list(), /^shop +deleted /m)
  assert.equal((await application('restore', 'shop')).code, 0)
  const { applications } = JSON.parse((await application('list', '--json')).stdout)
  assert.deepEqual([applications.length, applications[0].deleted_at], [1, null])
})

test('bridge secrets are created, changed, rotated and revoked from the command line, and printed once', async (t) => {
  const { run, env, directory } = await openPlace(t)
  const application = (...args: string[]) => run(['application', ...args], { env })
  await application('create', 'shop')
  const created = await application('create-secret', 'shop', '--ip-ranges', '10.0.0.0/8')
  const [, id = '', secret = ''] = /^id {6}(\S+)\nsecret {2}(wbs_[0-9A-Za-z]{49})\n$/.exec(created.stdout) ?? []
  assert.match(created.stderr, /cannot be shown again/)
  const listed = async () => JSON.parse((await application('secrets', 'shop', '--json')).stdout).secrets
  const [first] = await listed()
  assert.deepEqual([first.id, first.rights, first.ip_ranges, first.ends_at], [id, ['sessions'], ['10.0.0.0/8'], null])
  const table = (await application('secrets', 'shop')).stdout
  assert.match(table, new RegExp(`^${id} +${first.hint} +sessions +10\\.0\\.0\\.0/8 +never +never`, 'm'))
  assert.ok(!table.includes(secret))

  const last = secret.slice(-4)
  assert.equal(
    (await application('update-secret', 'shop', last, '--rights', 'users,sessions', '--ip-ranges', '')).code,
    0,
  )
  const file = join(directory, 'secret')
  const rotated = await application('rotate-secret', 'shop', last, '--overlap', '2h', '--secret-file', file)
  assert.equal(rotated.code, 0, rotated.stderr)
  assert.match(await readFile(file, 'utf8'), /^wbs_[0-9A-Za-z]{49}\n$/)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const [former, next] = await listed()
  assert.deepEqual([next.rights, next.ip_ranges, next.ends_at], [['sessions', 'users'], [], null])
  assert.match(former.ends_at, /^\d{4}-/)
  assert.equal(rotated.stdout, `id  ${next.id}\n`)

  assert.match((await application('create-secret', 'shop', '--secret-file', file)).stderr, /already exists/)
  const refused = join(directory, 'refused')
  assert.match((await application('create-secret', 'shop', '--secret-file', refused)).stderr, /has two secrets.*revoke/)
  await assert.rejects(stat(refused), /ENOENT/)
  assert.match((await application('rotate-secret', 'shop', next.id, '--overlap', '8d')).stderr, /^overlap must be/)
  assert.match((await application('rotate-secret', 'shop', next.id, '--overlap', '1')).stderr, /^--overlap must be/)
  assert.match((await application('update-secret', 'shop', next.id)).stderr, /^Nothing to change/)
  assert.match((await application('update-secret', 'shop', next.id, '--rights', 'all')).stderr, /^rights must contain/)
  assert.match((await application('revoke-secret', 'shop', 'wbs_')).stderr, /^There is no such secret/)
  assert.equal((await application('revoke-secret', 'shop', id)).code, 0)
  assert.deepEqual(
    (await listed()).map((one: { id: string }) => one.id),
    [next.id],
  )
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
    [['secrets', 'shop'], /^There is no such application/],
    [['create-secret', 'shop'], /^There is no such application/],
    [['rotate-secret', 'shop', 'x'], /^There is no such application/],
    [['revoke-secret', 'shop', 'x'], /^There is no such application/],
  ]
  for (const [args, sentence] of rejections) {
    const { code, stdout, stderr } = await run(['application', ...args], { env })
    assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    assert.match(stderr, sentence, args.join(' '))
  }
})

test('addresses of the settings are adopted, and the line that can go is printed', async (t) => {
  const { run, env } = await openPlace(t)
  const [shop, blog] = ['https://shop.example.com', 'https://blog.example.com']
  const settings = {
    ...env,
    ALLOWED_REDIRECTS: `${shop},${blog}/x,shop://,http://localhost:4000`,
    CORS_ORIGINS: shop,
    FRONTEND_URL: `${blog}/home`,
  }
  const application = (...args: string[]) => run(['application', ...args], { env: settings })
  const shown = async (key: string) => JSON.parse((await application('show', key)).stdout)
  const adopted = await application('adopt', 'shop', shop, '--name', 'Shop', '--kind', 'single_page')
  assert.deepEqual([adopted.code, adopted.stderr], [0, ''])
  assert.deepEqual(adopted.stdout.split('\n'), [
    `The new application shop has the address ${shop}. Nothing changes for its users.`,
    `You can now remove the address from this setting, which leaves: ALLOWED_REDIRECTS=${blog}/x,shop://,http://localhost:4000`,
    `You can now remove this line from your settings: CORS_ORIGINS=${shop}`,
    'Pages on the origin can then no longer call routes for administration.',
    '',
  ])
  assert.match((await application('adopt', 'shop', 'shop://')).stdout, /^The application shop has the address shop:/)
  const first = await shown('shop')
  assert.deepEqual([first.name, first.kind, first.development], ['Shop', 'single_page', false])
  assert.deepEqual([first.return_addresses, first.origins], [[shop, 'shop://'], [shop]])
  assert.equal((await application('adopt', 'shop', 'shop://')).code, 0, 'a second time, nothing changes')
  assert.deepEqual(await shown('shop'), first)

  assert.match(
    (await application('adopt', 'blog', blog)).stdout,
    /^Keep FRONTEND_URL=https:\/\/blog\.example\.com\/home/m,
  )
  const second = await shown('blog')
  assert.deepEqual([second.return_addresses, second.origins], [[blog], [blog]])
  assert.equal((await application('adopt', 'local', 'http://localhost:4000')).code, 0)
  assert.equal((await shown('local')).development, true)

  for (const [args, sentence] of [
    [['shop', 'https://other.example.com'], /^address is in none of ALLOWED_REDIRECTS/],
    [['blog', shop], /^return_addresses contains https:.*belongs to the application shop/],
    [['shop', 'http://localhost:4000'], /requires `development`/],
    [['Shop', shop], /^key must/],
  ] as const) {
    const { code, stdout, stderr } = await application('adopt', ...args)
    assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    assert.match(stderr, sentence)
  }
})

test('a set of applications moves to another installation', async (t) => {
  const [one, other] = [await openPlace(t), await openPlace(t)]
  const application = ({ run, env }: typeof one, ...args: string[]) => run(['application', ...args], { env })
  await application(one, 'create', 'shop', '--return-addresses', 'https://shop.example.com')
  await application(other, 'create', 'shop', '--return-addresses', 'https://old.example.com', '--note', 'old')
  await application(other, 'create', 'left')
  const file = join(one.dataDir, 'applications.json')
  assert.equal((await application(one, 'export', file)).stdout, `${file}: 1 application\n`)
  assert.equal((await application(one, 'export', file)).code, 1, 'no file is overwritten')
  const expected = (change: string, disable: string) =>
    [
      `shop: ${change}`,
      '  note: "old" -> ""',
      '  + return address https://shop.example.com',
      '  - return address https://old.example.com',
      `left: ${disable}`,
      '',
    ].join('\n')
  assert.equal((await application(other, 'plan', file)).stdout, expected('change', 'no change'))
  assert.equal((await application(other, 'plan', file, '--prune')).stdout, expected('change', 'disable'))
  assert.equal((await application(other, 'apply', file, '--prune')).stdout, expected('changed', 'disabled'))
  assert.equal((await application(other, 'apply', file, '--prune')).stdout, 'shop: no change\nleft: no change\n')
  await writeFile(file, '{"version":1,"applications":[{"key":"shop","secret":"x"}]}')
  const rejected = await application(other, 'apply', file)
  assert.deepEqual([rejected.code, rejected.stdout], [1, ''])
  assert.match(rejected.stderr, /applications\.0\.secret is not known: allowed are key/)
  assert.match(
    (await application(other, 'plan', join(one.dataDir, 'none.json'))).stderr,
    /^There is no file \S+none\.json: check the path$/m,
  )
  assert.match((await application(other, 'apply', one.dataDir)).stderr, /is a directory: pass the path of a file$/m)
})

test('doctor lists addresses that have no effect', async (t) => {
  const { run, env, query } = await openPlace(t)
  const application = (...args: string[]) => run(['application', ...args], { env })
  const doctor = async (more = {}) => (await run(['doctor'], { env: { ...env, ...more } })).stdout
  await application(
    'create',
    'shop',
    '--return-addresses',
    'https://shop.example.com,https://shop.example.com/x,shop://',
  )
  await application('update', 'shop', '--origins', 'https://shop.example.com,https://app.example.com')
  await application('create', 'dev', '--development', '--return-addresses', 'http://localhost:4000')
  await application('create', 'api', '--return-addresses', 'https://id.example.com/auth/login,https://id.example.com/x')
  await application('create', 'gone', '--return-addresses', 'https://gone.example.com')
  await application('delete', 'gone')
  assert.match(await doctor(), /✓ Applications +3 in the database/)
  await query("UPDATE applications SET is_development = false WHERE key = 'dev'")
  await query("UPDATE application_addresses SET address = 'SHOP' || chr(27) WHERE address = 'shop://'")
  const text = await doctor({
    PUBLIC_URL: 'https://id.example.com',
    FRONTEND_URL: 'https://app.example.com/home',
    ALLOWED_REDIRECTS: 'https://shop.example.com,https://gone.example.com,https://id.example.com/api',
    CORS_ORIGINS: 'https://shop.example.com',
  })
  const found = text.split('\n').flatMap((line) => /^ +([A-Z_a-z]+: \S+ .*)$/.exec(line)?.slice(1) ?? [])
  const ofApi = 'is below the API of this service, which is no return address'
  const first = 'which comes first, also while the application is disabled'
  assert.match(text, /! Applications +some addresses have no effect/)
  assert.deepEqual(found, [
    `ALLOWED_REDIRECTS: https://id.example.com/api ${ofApi}`,
    `api: https://id.example.com/auth/login ${ofApi}`,
    'dev: http://localhost:4000 is on this machine, which requires --development',
    `shop: https://shop.example.com is in CORS_ORIGINS, ${first}`,
    `shop: https://app.example.com is in FRONTEND_URL, ${first}`,
    `shop: https://shop.example.com is in ALLOWED_REDIRECTS, ${first}`,
    'shop: SHOP  does not have the form of an address',
  ])
})

test('an application is tested from the command line', async (t) => {
  const { run, env, isEmbedded } = await openPlace(t)
  const application = (...args: string[]) => run(['application', ...args], { env })
  assert.equal((await application('create', 'worker', '--kind', 'service')).code, 0)
  if (isEmbedded)
    return assert.match((await application('test', 'worker')).stderr, /cannot share the embedded database/)
  const skipped = await application('test', 'worker')
  assert.equal(skipped.code, 0, skipped.stderr)
  assert.match(skipped.stdout, /^Not tested: The page can be opened\n {2}None of the return addresses is a web page/)
  assert.match(skipped.stdout, /\nNothing could be tested\.\n$/)

  await application('create', 'shop', '--return-addresses', 'http://127.0.0.1:9', '--development')
  const failed = await application('test', 'shop')
  assert.equal(failed.code, 1, failed.stderr)
  assert.match(
    failed.stdout,
    /^Failed: The page can be opened\n {2}http:\/\/127\.0\.0\.1:9\/\n {2}This service only opens/,
  )
  const { outcome, steps } = JSON.parse((await application('test', 'shop', '--json')).stdout)
  assert.deepEqual([outcome, steps[0].reason], ['failed', 'not_public'])
  assert.match((await application('test', 'none')).stderr, /There is no such application/)
  assert.match((await application('test', 'shop', '--page', 'https://other.example.com')).stderr, /^page must be on/)
  await application('disable', 'shop')
  assert.match((await application('test', 'shop')).stdout, /The application is disabled/)
})
