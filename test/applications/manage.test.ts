import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createApplication } from '../../src/applications/change-application.ts'
import { cleanUp } from '../../src/jobs/clean-up.ts'
import { day, hour } from '../../src/lib/time.ts'
import { findUser } from '../../src/users/queries.ts'
import { eventually } from '../support/eventually.ts'
import { signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { base, type Superadmin, superadminOf } from './support.ts'

const shop = 'https://shop.example.com'

describe('applications', () => {
  let app: TestApp
  let superadmin: Superadmin
  before(async () => {
    app = await startTestApp({
      env: { ADMIN_SESSION_IDLE_TTL: '90d', ADMIN_SESSION_ABSOLUTE_TTL: '90d', APPLICATIONS_MAX: '30' },
    })
    superadmin = await superadminOf(app)
  })
  after(() => app.stop())

  const mayReturnTo = async (address: string) =>
    (await app.get('/login', { query: { return_to: address } })).status !== 400
  const mayCall = async (origin: string) => {
    const { headers } = await app.get('/auth/session/current', { headers: { origin } })
    return headers['access-control-allow-origin'] === origin
  }

  test('are created, listed, changed, disabled, deleted and restored, each with an audit event', async () => {
    assert.equal(await mayReturnTo(`${shop}/back`), false)
    const input = {
      key: 'shop',
      name: ' Shop ',
      kind: 'website',
      return_addresses: [shop, `${shop}/`],
      origins: [shop],
    }
    const { status, json } = await superadmin.call('POST', '', input)
    assert.equal(status, 200)
    const { id, updated_at, ...created } = json.data
    assert.deepEqual(
      [created.name, created.return_addresses, created.origins, created.enabled, created.deleted_at],
      ['Shop', [shop], [shop], true, null],
    )
    assert.deepEqual([await mayReturnTo(`${shop}/back`), await mayCall(shop)], [true, true])

    const changes = { return_addresses: [`${shop}/app`], expected_updated_at: updated_at }
    const changed = await superadmin.call('PUT', `/${id}`, changes)
    assert.deepEqual(changed.json.data.return_addresses, [`${shop}/app`])
    assert.deepEqual(changed.json.data.origins, [shop], 'what is not sent stays')
    assert.deepEqual([await mayReturnTo(`${shop}/back`), await mayReturnTo(`${shop}/app/back`)], [false, true])
    const stale = await superadmin.call('PUT', `/${id}`, changes)
    assert.deepEqual([stale.status, stale.json.code], [409, 'EDIT_CONFLICT'])

    const isOpen = async () => [await mayReturnTo(`${shop}/app`), await mayCall(shop)]
    for (const [method, path, open] of [
      ['POST', '/disable', false],
      ['POST', '/enable', true],
      ['DELETE', '', false],
      ['POST', '/restore', true],
    ] as const) {
      assert.equal((await superadmin.call(method, `/${id}${path}`)).status, 200)
      assert.deepEqual(await isOpen(), [open, open], `${method} ${path}`)
    }
    const listed = (await superadmin.call('GET')).json.data.applications
    assert.deepEqual(
      listed.map(({ key }: { key: string }) => key),
      ['shop'],
    )
    for (const name of ['created', 'updated', 'disabled', 'enabled', 'deleted', 'restored']) {
      const [event] = await auditOf(app, `application_${name}`)
      assert.deepEqual([event?.actor_id, event?.details.application], [superadmin.id, id], name)
    }
    const [updated] = await auditOf(app, 'application_updated')
    assert.deepEqual([updated?.details.added, updated?.details.removed], [[`${shop}/app`], [shop]])
  })

  test('all superadmins are told of new addresses, and of nothing else', async () => {
    const other = await signedInAs(app, 'superadmin')
    await app.mailTo(other.email)
    const { id } = await superadmin.create('mailed', { return_addresses: ['https://first.example.com'] })
    // Addresses in emails contain invisible characters, so that mail programs do not turn them into links.
    const mailed = async (count: number) => (await app.mailTo(other.email, count)).text.replaceAll('\u2060', '')
    assert.match(await mailed(1), /mailed[\s\S]*https:\/\/first\.example\.com/)
    await superadmin.call('PUT', `/${id}`, { name: 'Renamed', return_addresses: [] })
    await superadmin.call('PUT', `/${id}`, { return_addresses: ['https://second.example.com'] })
    const text = await mailed(2)
    assert.match(text, /Renamed[\s\S]*https:\/\/second\.example\.com/)
    assert.ok(!text.includes('first.example.com'))
  })

  test('an update that changes nothing leaves no trace, and the audit trail names only what changed', async () => {
    const address = 'https://same.example.com'
    const same = { name: 'Same', kind: 'website', return_addresses: [address], origins: [address], note: 'x' }
    const { id } = await superadmin.create('same', same)
    const stateOf = async () => {
      const { rows } = await sql`SELECT version FROM application_version`.execute(app.ctx.db)
      const updates = (await auditOf(app, 'application_updated')).filter(({ details }) => details.key === 'same')
      return { rows, updates, data: (await superadmin.call('GET', `/${id}`)).json.data }
    }
    const before = await stateOf()
    for (const input of [same, { note: 'x' }, {}]) {
      assert.equal((await superadmin.call('PUT', `/${id}`, input)).status, 200)
      assert.deepEqual(await stateOf(), before)
    }
    const second = 'https://second.same.example.com'
    await superadmin.call('PUT', `/${id}`, { ...same, name: 'Other', development: true, origins: [second] })
    await superadmin.call('PUT', `/${id}`, { return_addresses: [second, address] })
    await superadmin.call('PUT', `/${id}`, { return_addresses: [address, second] })
    const { updates, data } = await stateOf()
    assert.deepEqual(
      updates.map(({ details: { changed, changes, added, removed } }) => ({ changed, changes, added, removed })),
      [
        {
          changed: ['name', 'development', 'origins'],
          changes: { name: { from: 'Same', to: 'Other' }, development: { from: false, to: true } },
          added: [second],
          removed: [address],
        },
        { changed: ['return_addresses'], changes: {}, added: [second], removed: [] },
        { changed: ['return_addresses'], changes: {}, added: [], removed: [] },
      ],
    )
    assert.deepEqual(data.return_addresses, [address, second])
  })

  test('a superadmin is sent at most MAIL_CAP emails about new addresses in its window', async () => {
    const { email } = await signedInAs(app, 'superadmin')
    const { attempts } = app.ctx.config.MAIL_CAP
    const { id } = await superadmin.create('script')
    for (let n = 0; n < attempts + 2; n++)
      await superadmin.call('PUT', `/${id}`, { return_addresses: [`https://script${n}.example.com`] })
    const waiting = () =>
      sql`SELECT 1 FROM outbox WHERE message = 'application_addresses' AND done_at IS NULL`.execute(app.ctx.db)
    await eventually(async () => (await waiting()).rows.length === 0)
    const subjects = app.inbox?.list({ to: email }).map(({ subject }) => subject) ?? []
    assert.equal(subjects.filter((one) => one.includes('new addresses')).length, attempts)
  })

  const wrong: [what: string, input: Record<string, unknown>, field: string, message: RegExp][] = [
    ['a key with capitals', { key: 'Shop' }, 'key', /./],
    ['a taken key', { key: 'taken' }, 'key', /belongs to another application/],
    ['an empty name', { name: ' ' }, 'name', /required/],
    ['a name that changes the direction of text', { name: 'Sh\u202eop' }, 'name', /control characters/],
    ['an unknown kind', { kind: 'desktop' }, 'kind', /./],
    ['a wildcard', { return_addresses: ['https://*.example.com'] }, 'return_addresses', /list each address/],
    ['a wildcard origin', { origins: ['https://*.example.com'] }, 'origins', /list each address/],
    ['an address with a query', { return_addresses: ['https://a.example.com/?x=1'] }, 'return_addresses', /origins/],
    ['a user name', { return_addresses: ['https://ada@a.example.com'] }, 'return_addresses', /origins/],
    ['a script', { return_addresses: ['javascript://'] }, 'return_addresses', /origins/],
    ['a scheme that leads to any host', { return_addresses: ['ws://'] }, 'return_addresses', /origins/],
    ['a scheme that leads to any app', { return_addresses: ['intent://'] }, 'return_addresses', /origins/],
    ['a scheme of the operating system', { return_addresses: ['ms-settings://'] }, 'return_addresses', /origins/],
    ['a scheme that installs apps', { return_addresses: ['itms-services://'] }, 'return_addresses', /origins/],
    ['a scheme that searches', { return_addresses: ['search-ms://'] }, 'return_addresses', /origins/],
    ['a scheme that runs shortcuts', { return_addresses: ['shortcuts://'] }, 'return_addresses', /origins/],
    ['a scheme with an empty label', { return_addresses: ['com..app://'] }, 'return_addresses', /origins/],
    ['a disguised path', { return_addresses: ['https://a.example.com/x/%2e%2e'] }, 'return_addresses', /origins/],
    ['plain http', { return_addresses: ['http://a.example.com'] }, 'return_addresses', /must be https/],
    ['plain http of an origin', { origins: ['http://a.example.com'] }, 'origins', /must be https/],
    ['plain http, although in development', { origins: ['http://10.0.0.1'], development: true }, 'origins', /https/],
    ['this machine', { return_addresses: ['http://localhost:3000'] }, 'return_addresses', /development/],
    ['an origin with a path', { origins: ['https://a.example.com/x'] }, 'origins', /origins such as/],
    ['an app scheme as origin', { origins: ['myapp://'] }, 'origins', /origins such as/],
    ['a taken address', { return_addresses: ['https://taken.example.com'] }, 'return_addresses', /application taken/],
    ['a taken origin', { origins: ['https://taken.example.com'] }, 'origins', /application taken/],
    ['51 addresses', { origins: Array.from({ length: 51 }, (_, n) => `https://a${n}.example.com`) }, 'origins', /./],
    ['a home page that is a script', { home_url: 'javascript:alert(1)' }, 'home_url', /http/],
    ['a note with line breaks', { note: 'a\nb' }, 'note', /control/],
  ]
  for (const [what, input, field, message] of wrong) {
    test(`${what} is refused with its field, and nothing is stored`, async () => {
      if ((await superadmin.call('GET')).json.data.applications.every(({ key }: { key: string }) => key !== 'taken')) {
        const address = 'https://taken.example.com'
        await superadmin.create('taken', { return_addresses: [address], origins: [address] })
      }
      const { status, json } = await superadmin.call('POST', '', {
        key: 'wrong',
        name: 'Wrong',
        kind: 'website',
        ...input,
      })
      assert.deepEqual([status, json.code], [400, 'VALIDATION_ERROR'], JSON.stringify(json))
      const [problem] = json.details.filter((one: { field: string }) => one.field.startsWith(field))
      assert.match(problem?.message ?? JSON.stringify(json), message)
      const { applications } = (await superadmin.call('GET')).json.data
      assert.ok(applications.every(({ key }: { key: string }) => key !== 'wrong'))
    })
  }

  test('an app has a scheme that is the reverse of its domain, or a plain name', async () => {
    const schemes = ['com.example.app://', 'com.example.my-app2://', 'myapp://', 'my-app+dev://']
    const { id } = await superadmin.create('schemes', { kind: 'mobile', return_addresses: schemes })
    assert.deepEqual((await superadmin.call('GET', `/${id}`)).json.data.return_addresses, schemes)
  })

  test('a home page can be removed', async () => {
    const { id } = await superadmin.create('home', { home_url: 'https://home.example.com' })
    const kept = await superadmin.call('PUT', `/${id}`, { note: 'x' })
    assert.equal(kept.json.data.home_url, 'https://home.example.com/')
    assert.equal((await superadmin.call('PUT', `/${id}`, { home_url: null })).json.data.home_url, null)
  })

  test('an update is checked like a creation, and cannot change the key', async () => {
    const { id } = await superadmin.create('checked', { development: true, origins: ['http://localhost:3000'] })
    const update = async (input: object) => (await superadmin.call('PUT', `/${id}`, input)).json.details?.[0]?.field
    assert.equal(await update({ development: false }), 'origins')
    assert.equal(await update({ origins: ['https://taken.example.com'] }), 'origins')
    assert.equal(await update({ origins: [], development: false }), undefined)
    assert.equal((await superadmin.call('GET', `/${id}`)).json.data.key, 'checked')
  })

  test('the key and the addresses of a deleted application stay taken until it is erased after 14 days', async () => {
    const address = 'https://old.example.com'
    const { id } = await superadmin.create('old', { return_addresses: [address] })
    await superadmin.call('DELETE', `/${id}`)
    const attempt = async (key: string) => {
      const input = { key, name: 'New', kind: 'website', return_addresses: [address] }
      return (await superadmin.call('POST', '', input)).json
    }
    assert.match((await attempt('old')).details[0].message, /was deleted/)
    assert.match((await attempt('new')).details[0].message, /deleted application old/)
    assert.equal((await superadmin.call('PUT', `/${id}`, { name: 'Changed' })).status, 404)
    assert.equal((await superadmin.call('DELETE', `/${id}`)).status, 404)
    app.clock.advance(14 * day - hour)
    await cleanUp(app.ctx)
    superadmin = await superadminOf(app)
    assert.match((await attempt('new')).details[0].message, /deleted application old/)
    app.clock.advance(2 * hour)
    await cleanUp(app.ctx)
    superadmin = await superadminOf(app)
    assert.equal((await superadmin.call('POST', `/${id}/restore`)).status, 404)
    assert.equal((await attempt('old')).success, true)
  })

  test('are for superadmins with recent authentication only, and denials are recorded', async () => {
    const admin = await signedInAs(app, 'admin')
    const { id } = await superadmin.create('guarded')
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['PUT', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/disable`],
    ] as const) {
      const body = { key: 'mine', name: 'Mine', kind: 'website' }
      const { status } = await app.call(method, base + path, { body, ...withSession(admin.sessionToken) })
      assert.equal(status, 403, `${method} ${path}`)
    }
    app.clock.advance(2 * hour)
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/disable`],
    ] as const) {
      const { json } = await superadmin.call(method, path, { key: 'mine', name: 'Mine', kind: 'website' })
      assert.equal(json.code, 'REAUTH_REQUIRED', `${method} ${path}`)
    }
    assert.equal((await superadmin.call('GET', `/${id}`)).json.data.enabled, true)
    superadmin = await superadminOf(app)
  })

  test('a role that ended while the request was handled allows nothing', async () => {
    const admin = await signedInAs(app, 'admin')
    const user = await findUser(app.ctx, admin.id)
    const session = await app.ctx.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', admin.id)
      .executeTakeFirst()
    assert.ok(user && session)
    const request = { method: 'POST', requestId: 'demoted' }
    const device = { address: '198.18.0.1', userAgent: '', device: '', acceptLanguage: undefined, ...request }
    const principal = { actor: { ...user, user_type: 'superadmin' }, sessionId: session.id, device }
    const input = { key: 'demoted', name: 'Demoted', kind: 'website' } as const
    await assert.rejects(createApplication(app.ctx, { principal }, input), { code: 'FORBIDDEN' })
    const [denial] = (await auditOf(app, 'authz_denied')).slice(-1)
    assert.deepEqual([denial?.actor_id, denial?.details.deed], [admin.id, 'create_application'])
  })

  test('are limited in number', async () => {
    const { applications } = (await superadmin.call('GET')).json.data
    for (let count = applications.length; count < 30; count++) await superadmin.create(`more-${count}`)
    const { json } = await superadmin.call('POST', '', { key: 'one-more', name: 'One more', kind: 'website' })
    assert.match(json.details[0].message, /APPLICATIONS_MAX/)
  })

  test('of two requests for one key or address, one wins and the other gets the reason', async () => {
    const { applications } = (await superadmin.call('GET')).json.data
    for (const { id } of applications.slice(-4)) await superadmin.call('DELETE', `/${id}`)
    app.clock.advance(15 * day)
    await cleanUp(app.ctx)
    superadmin = await superadminOf(app)
    const input = { name: 'Raced', kind: 'website', return_addresses: ['https://raced.example.com'] }
    const results = await Promise.all(
      ['raced-a', 'raced-b', 'raced-a'].map((key) => superadmin.call('POST', '', { key, ...input })),
    )
    assert.deepEqual(results.map(({ status }) => status).sort(), [200, 400, 400])
  })
})
