import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { second } from '../../src/lib/time.ts'
import { install } from '../support/modules.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: SignedIn
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h', USER_TYPES: 'partner' } })
  admin = await signedInAs(app, 'admin')
})
after(() => app.stop())

const get = (query: Record<string, string>, path = '/auth/users') =>
  app.get(path, { ...withSession(admin.sessionToken), query })
const search = async (query: Record<string, string>) => {
  const { status, json, text } = await get({ limit: '100', ...query })
  assert.equal(status, 200, text)
  return json.data as { users: Record<string, unknown>[]; pagination: Record<string, number> }
}
const emailsFound = async (query: Record<string, string>) => (await search(query)).users.map(({ email }) => email)

async function add(user: { email: string; name?: string; user_name?: string }): Promise<SignedIn> {
  app.clock.advance(second)
  return { ...(await registered(app, 'ada', user)), ...user }
}

describe('the search', () => {
  beforeEach(async () => {
    await sql`DELETE FROM users WHERE id <> ${admin.id}`.execute(app.ctx.db)
    await sql`UPDATE users SET user_name = 'boss', email = 'boss@example.org' WHERE id = ${admin.id}`.execute(
      app.ctx.db,
    )
  })

  test('finds a part of address, name or user name in any case, and nothing in other members', async () => {
    await add({ email: 'alpha@example.com', name: 'Zoë Ÿ', user_name: 'first_one' })
    await add({ email: 'gamut@xmpl.org', name: 'abcd bcde', user_name: 'third' })
    await add({ email: 'beta@example.com', name: 'Björn', user_name: 'Second.One' })
    await app.ctx.db
      .updateTable('users')
      .set({ title: 'Quux', metadata: { a: 'Quux' } })
      .execute()
    const expected: Record<string, string[]> = {
      alpha: ['alpha@example.com'],
      'ALPHA@EXAMPLE': ['alpha@example.com'],
      'a@e': ['beta@example.com', 'alpha@example.com'],
      zoë: ['alpha@example.com'],
      ZOË: ['alpha@example.com'],
      'ZOE\u0308': ['alpha@example.com'],
      ÿ: ['alpha@example.com'],
      'ë ÿ': ['alpha@example.com'],
      björn: ['beta@example.com'],
      'SECOND.one': ['beta@example.com'],
      n: ['beta@example.com', 'alpha@example.com'],
      st: ['alpha@example.com'],
      // Letters that all occur in an address, but not consecutively.
      betaexample: [],
      abcde: [],
      'abcd bcde': ['gamut@xmpl.org'],
      'one.second': [],
      quux: [],
      'beta@example.com ': [],
    }
    for (const [q, emails] of Object.entries(expected)) assert.deepEqual(await emailsFound({ q }), emails, q)
  })

  test('finds last names, full names and display names', async () => {
    await add({ email: 'ada@example.com', name: 'Ada', user_name: 'first_one' })
    const rows = app.ctx.db.updateTable('users').where('email', '=', 'ada@example.com')
    await rows.set({ last_name: 'Lovelace', display_name: 'The Countess' }).execute()
    for (const q of ['love', 'LOVELACE', 'Ada Lovelace', 'a L', 'countess'])
      assert.deepEqual(await emailsFound({ q }), ['ada@example.com'], q)
    for (const q of ['Lovelace Ada', 'lace the']) assert.deepEqual(await emailsFound({ q }), [], q)
    await rows.set({ last_name: 'King', display_name: null }).execute()
    assert.deepEqual(await emailsFound({ q: 'lovelace' }), [])
    assert.deepEqual(await emailsFound({ q: 'ada king' }), ['ada@example.com'])
  })

  test('takes every character literally', async () => {
    const names = [
      '100% sure',
      'a_b',
      String.raw`back\slash`,
      `O'Neill"`,
      '[a-z]*',
      '(x|y)',
      '$1 && $(2)',
      '; DROP TABLE users',
      '%%',
      '__',
    ]
    for (const [index, name] of names.entries())
      await add({ email: `n${index}@example.com`, name, user_name: `user.${index}` })
    for (const q of [
      '%',
      '_',
      '\\',
      "'",
      '"',
      '%%',
      '__',
      '\\\\',
      '100%',
      'a_b',
      'k\\s',
      '[a-z]',
      '.*',
      '|',
      '$(2)',
      '; DROP',
      '--',
      'u_er',
      'u%r',
    ]) {
      const found = (await search({ q })).users.map(({ name }) => String(name)).toSorted()
      assert.deepEqual(found, names.filter((name, index) => `${name}\n${'user.'}${index}`.includes(q)).toSorted(), q)
    }
  })

  test('finds exactly what a plain look through all users would find', async () => {
    const part = fc.stringMatching(/^[abAB%_. ]{1,6}$/)
    const people = fc.sample(fc.stringMatching(/^[abAB%_. é]{0,12}$/), 40)
    for (const [index, name] of people.entries())
      await add({ email: `${'ab'[index % 2]}${index}@example.com`, name, user_name: `b.a-${index}` })
    const all = (await search({})).users as { email: string; name: string; user_name: string }[]
    await fc.assert(
      fc.asyncProperty(part, async (q) => {
        const wanted = all.filter(({ email, name, user_name }) =>
          [email, name, user_name].some((text) => text.toLowerCase().includes(q.toLowerCase())),
        )
        assert.deepEqual(
          new Set(await emailsFound({ q })),
          new Set(wanted.map(({ email }) => email)),
          JSON.stringify(q),
        )
      }),
      { numRuns: 60 },
    )
  })

  test('filters of one column look nowhere else, take every character literally, and narrow each other', async () => {
    const [ada, grace, alan] = [
      await add({ email: 'ada@example.com', name: 'Zoë 100%', user_name: 'grace_a' }),
      await add({ email: 'grace@example.org', name: 'Ada', user_name: 'admiral' }),
      await add({ email: 'alan@example.com', name: String.raw`back\slash`, user_name: 'graceXa' }),
    ]
    await sql`UPDATE users SET last_name = 'Lovelace' WHERE id = ${alan.id}`.execute(app.ctx.db)
    await sql`UPDATE users SET user_type = 'partner' WHERE id = ${grace.id}`.execute(app.ctx.db)
    const cases: [query: Record<string, string>, found: SignedIn[]][] = [
      [{ name: 'ada' }, [grace]],
      [{ name: 'zoe\u0308' }, [ada]],
      [{ name: 'ZOË' }, [ada]],
      [{ name: '%' }, [ada]],
      [{ name: '\\' }, [alan]],
      [{ name: 'grace' }, []],
      [{ name: 'LOVE' }, [alan]],
      [{ name: 'slash love' }, [alan]],
      [{ email: 'GRACE' }, [grace]],
      [{ email: 'example.com' }, [alan, ada]],
      [{ email: 'ad', name: 'zo' }, [ada]],
      [{ email: 'ada', name: 'ada' }, []],
      [{ user_name: 'grace_a' }, [ada]],
      [{ userName: 'GRACE' }, [alan, ada]],
      [{ user_name: 'grace', email: 'alan' }, [alan]],
      [{ q: 'ada', name: 'ada' }, [grace]],
      [{ q: 'slash', user_name: 'grace', email: '' }, [alan]],
      [{ name: 'ada', userType: 'partner' }, [grace]],
      [{ name: 'ada', userType: 'admin' }, []],
      [{ name: '', email: '', user_name: '', q: 'example.com' }, [alan, ada]],
    ]
    for (const [query, people] of cases) {
      for (const limit of ['100', '1']) {
        const { users, pagination } = await search({ ...query, limit })
        const emails = people.map(({ email }) => email).slice(0, Number(limit))
        assert.deepEqual(
          users.map(({ email }) => email),
          emails,
          JSON.stringify(query),
        )
        assert.equal(pagination.total, people.length, JSON.stringify(query))
      }
    }
  })

  test('a changed name is found at once, the former one no more; a deleted user not at all', async () => {
    const ada = await add({ email: 'ada.w@example.com', name: 'Formerly' })
    await app.call('PUT', '/auth/profile', { ...withSession(ada.sessionToken), body: { name: 'Presently' } })
    assert.deepEqual(await emailsFound({ q: 'formerly' }), [])
    assert.deepEqual(await emailsFound({ q: 'presently' }), [ada.email])
    await app.call('DELETE', `/auth/users/${ada.id}`, withSession(admin.sessionToken))
    for (const query of [{ q: 'presently' }, { q: 'ada.w' }, { q: '' }])
      assert.ok(!(await emailsFound(query)).includes(ada.email))
  })

  test('pages are newest first, and say how many there are', async () => {
    for (let index = 0; index < 12; index++) await add({ email: `p${index}@example.com`, name: 'Pager' })
    const newestFirst = Array.from({ length: 12 }, (_, index) => `p${11 - index}@example.com`)
    const first = await get({ q: 'pager' })
    assert.deepEqual(first.json.data.pagination, { page: 1, limit: 10, total: 12, pages: 2, has_more: true })
    const second = await get({ q: 'pager', page: '2' })
    const emails = [...first.json.data.users, ...second.json.data.users].map(({ email }: { email: string }) => email)
    assert.deepEqual(emails, newestFirst)
    const past = await get({ q: 'pager', page: '3' })
    assert.deepEqual(past.json.data, {
      users: [],
      pagination: { page: 3, limit: 10, total: 12, pages: 2, has_more: false },
    })
    const none = await get({ q: 'nobody at all' })
    assert.deepEqual(none.json.data, {
      users: [],
      pagination: { page: 1, limit: 10, total: 0, pages: 0, has_more: false },
    })
    assert.equal((await get({ limit: '1000000000' })).json.data.pagination.limit, 100)
  })

  test('frequent values are found and counted like others', async () => {
    await sql`INSERT INTO users (id, email, user_name, name, created_at, updated_at)
      SELECT gen_random_uuid(), 'crowd' || i || '@example.org', 'crowd' || i, CASE WHEN i % 5 = 0 THEN 'Fifth' ELSE '' END, now(), now()
      FROM generate_series(1, 150) AS i`.execute(app.ctx.db)
    try {
      for (const [query, total] of [
        [{ q: 'CROWD' }, 150],
        [{ q: 'crowd', page: '15' }, 150],
        [{ q: 'crowd', sort: 'name' }, 150],
        [{ q: 'crowd', userType: 'admin' }, 0],
        [{ q: 'fifth' }, 30],
        [{ q: 'crowd15' }, 2],
        [{ user_name: 'CROWD' }, 150],
        [{ email: 'crowd', name: 'fifth' }, 30],
        [{ email: 'crowd', name: 'crowd' }, 0],
        [{ user_name: 'crowd15', email: 'crowd150' }, 1],
      ] as const) {
        const { data } = (await get(query)).json
        assert.equal(data.pagination.total, total, JSON.stringify(query))
        assert.equal(data.users.length, Math.min(total, 10), JSON.stringify(query))
      }
    } finally {
      await sql`DELETE FROM users WHERE email LIKE 'crowd%'`.execute(app.ctx.db)
    }
  })

  test('other orders, by name and direction', async () => {
    for (const letter of ['b', 'c', 'a'])
      await add({ email: `${letter}@example.com`, name: letter, user_name: `o_${letter}` })
    for (const by of ['email', 'name', 'user_name', 'created_at', 'updated_at', 'user_type']) {
      for (const [order, sign] of [
        [{ sort: by }, 1],
        [{ sort: `-${by}` }, -1],
        [{ orderBy: by, orderDir: 'asc' }, 1],
        [{ orderBy: by, orderDir: 'desc' }, -1],
      ] as const) {
        const { users } = await search({ q: 'o_', ...order })
        const values = users.map((user) => String(user[by]))
        assert.deepEqual(
          values,
          values.toSorted((left, right) => sign * (left < right ? -1 : left > right ? 1 : 0)),
          JSON.stringify(order),
        )
      }
    }
    const { json } = await get({ sort: 'email', order_dir: 'desc' })
    assert.equal(json.details[0].field, 'sort')
  })

  test('a role narrows the list, in both spellings, together with a text', async () => {
    await add({ email: 'one@example.com' })
    await app.ctx.db.updateTable('users').set({ user_type: 'partner' }).where('email', '=', 'one@example.com').execute()
    await add({ email: 'two@example.com' })
    assert.deepEqual(await emailsFound({ userType: 'partner' }), ['one@example.com'])
    assert.deepEqual(await emailsFound({ user_type: 'partner', q: 'one' }), ['one@example.com'])
    assert.deepEqual(await emailsFound({ userType: 'partner', q: 'two' }), [])
    assert.deepEqual(await emailsFound({ userType: 'admin' }), ['boss@example.org'])
    assert.deepEqual(await emailsFound({ userType: 'nothing' }), [])
  })
})

test('the three paths respond alike, and the old one reports its deprecation and successor', async () => {
  const [users, searched, old] = await Promise.all([
    get({}),
    get({}, '/auth/users/search'),
    get({}, '/auth/admin/users'),
  ])
  assert.deepEqual(searched.json, users.json)
  assert.deepEqual(old.json, users.json)
  assert.equal(users.headers.deprecation, undefined)
  assert.match(String(old.headers.deprecation), /^@\d+$/)
  assert.equal(old.headers.link, '</auth/users>; rel="successor-version"')
  assert.equal((await app.get('/openapi.json')).json.paths['/auth/admin/users'].get.deprecated, true)
})

test('a user has the members of the administrative shape, and no others', async () => {
  const [user] = (await search({})).users
  assert.deepEqual(Object.keys(user ?? {}).toSorted(), [
    'blocked',
    'created_at',
    'email',
    'first_time',
    'id',
    'is_verified',
    'last_name',
    'name',
    'phone',
    'picture',
    'title',
    'two_factor',
    'updated_at',
    'user_name',
    'user_type',
  ])
})

test('an invalid value is refused by name and never results in 500', async () => {
  const wrong: Record<string, string[]> = {
    q: ['x'.repeat(101), '%'.repeat(2_000)],
    email: ['x'.repeat(255)],
    name: ['x'.repeat(101)],
    user_name: ['x'.repeat(101)],
    page: ['0', '-1', '1.5', 'NaN', '1e3', '10;drop', 'true', '', '1000000000000', '9'.repeat(30), '100002'],
    limit: ['0', '-1', '1.5', 'all', '0x10', ' 5'],
    user_type: ['Admin', 'super admin', "x' OR '1'='1", '%', 'admin\n'],
    is_business: ['yes', '1', 'TRUE'],
    biz_country: ['D', 'DEU', 'D1', '%%'],
    privacy_region: ['eu,ca', 'EU', 'mars'],
    order_by: ['password_hash', 'created_at desc', 'search_text', '1', 'created_at;--'],
    order_dir: ['up', 'ASC', 'asc nulls first'],
    sort: ['+email', '--email', 'email desc', 'password_hash', ''],
  }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const { status, json } = await get({ [name]: value })
      assert.equal(status, 400, `${name}=${value}`)
      assert.equal(json.code, 'VALIDATION_ERROR', `${name}=${value}`)
      assert.deepEqual(
        json.details.map(({ field }: { field: string }) => field),
        [name],
        `${name}=${value}`,
      )
    }
  }
  assert.equal((await get({ page: '100001' })).status, 200)
})

test('filters of modules are refused until the module is there, never ignored; then they work', async () => {
  const filters: Record<string, string>[] = [
    { is_business: 'true' },
    { isBusiness: 'false' },
    { biz_country: 'DE' },
    { privacy_region: 'eu', q: 'a' },
  ]
  for (const filter of filters) {
    const { status, json } = await get(filter)
    assert.equal(status, 400)
    assert.deepEqual([json.error, json.code, json.success], ['module_not_installed', 'module_not_installed', false])
  }
  await install(app, 'onboarding')
  await install(app, 'privacy')
  await sql`ALTER TABLE users ADD COLUMN acquisition_source text DEFAULT 'a secret of marketing'`.execute(app.ctx.db)
  const [firm, person] = [
    await add({ email: 'firm@example.com', name: 'Moduled' }),
    await add({ email: 'person@example.com', name: 'Moduled' }),
  ]
  await sql`UPDATE users SET is_business = true, biz_country = 'DE', biz_name = 'Firm', privacy_region = 'eu' WHERE id = ${firm.id}`.execute(
    app.ctx.db,
  )
  const moduled = (query: Record<string, string>) => emailsFound({ q: 'moduled', ...query })
  assert.deepEqual(await moduled({ is_business: 'true' }), [firm.email])
  // A filter treats a value that was never set as its default.
  assert.deepEqual(await moduled({ is_business: 'false' }), [person.email])
  assert.deepEqual(await moduled({ privacy_region: 'global' }), [person.email])
  assert.deepEqual(await moduled({ biz_country: 'de' }), [firm.email])
  const { text } = await get({})
  assert.ok(text.includes('"biz_name":"Firm"') && !text.includes('acquisition'))
  await sql`ALTER TABLE users DROP COLUMN biz_state`.execute(app.ctx.db)
  await app.hub.installed.refresh()
  assert.equal((await get({ biz_country: 'DE' })).json.code, 'module_not_installed')
})

test('with CLIENT_COMPAT, the reply contains what older clients need for paging', async () => {
  const compat = await startTestApp({ env: { CLIENT_COMPAT: 'true' } })
  try {
    const boss = await signedInAs(compat, 'superadmin')
    await registered(compat)
    const { json } = await compat.get('/auth/users?limit=1', withSession(boss.sessionToken))
    assert.deepEqual(json.meta, { total: 2, page: 1, limit: 1, hasMore: true })
  } finally {
    await compat.stop()
  }
})
