import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../http/support.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../../support/test-app.ts'
import { acquisition, asPerson, keptOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['onboarding'] })
})
after(() => app.stop())

const noBusiness = {
  is_business: false,
  biz_name: null,
  biz_country: null,
  biz_state: null,
  biz_position: null,
  biz_postal_code: null,
}
const firm = {
  is_business: true,
  biz_name: 'Analytical Engines Ltd',
  biz_country: 'gb',
  biz_state: 'London',
  biz_position: 'Director',
  biz_postal_code: 'W1G 9QD',
}
const businessOf = (user: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(noBusiness).map((name) => [name, user[name]]))

async function somebody() {
  const ada = await registered(app)
  return { ada, ...asPerson(app, ada) }
}

test('a completion writes the business and the profile, ends the wizard and the first time, and shows the user', async () => {
  const { ada, complete, state, me } = await somebody()
  assert.deepEqual(businessOf(await me()), noBusiness)
  const profile = { name: ' Ada ', last_name: 'Lovelace', lang: 'es-mx', tmz: 'Europe/London', title: 'Dr.' }
  const { status, json } = await complete({ ...firm, ...profile, display_name: 'Countess', phone: '+44 7700 900 211' })
  assert.equal(status, 200)
  const { user, ...shown } = json.data
  assert.deepEqual(Object.keys(json).toSorted(), ['data', 'meta', 'user_context'])
  assert.deepEqual([json.user_context, json.meta], [{ authenticated: true, user_type: 'customer' }, {}])
  const { started_at, completed_at, ...rest } = shown
  const over = { id: ada.id, user_id: ada.id, status: 'completed', step: null, completed: true, data: {}, steps: {} }
  assert.deepEqual(rest, over)
  assert.deepEqual([started_at, completed_at], [completed_at, new Date(app.clock.now()).toISOString()])
  assert.deepEqual(businessOf(user), { ...firm, biz_country: 'GB' })
  const { name, last_name, lang, tmz, title, display_name, first_time, email } = user
  assert.deepEqual(
    { name, last_name, lang, tmz, title, display_name, first_time, email },
    { ...profile, name: 'Ada', lang: 'es-MX', display_name: 'Countess', first_time: false, email: ada.email },
  )
  assert.deepEqual(await me(), user)
  assert.deepEqual((await state()).json.data, shown)
  const [row] = await app.database.query('SELECT phone, phone_trusted FROM users WHERE id = $1', [ada.id])
  assert.deepEqual(row, { phone: '+447700900211', phone_trusted: true })
})

test('the route beside the other routes of a user does the same, and says success', async () => {
  const { ada, me } = await somebody()
  const reply = await app.post(
    '/auth/user/me/onboarding',
    { bizName: 'Firm', isBusiness: true },
    withSession(ada.sessionToken),
  )
  assert.deepEqual(Object.keys(reply.json).toSorted(), ['data', 'meta', 'success', 'user_context'])
  assert.deepEqual([reply.json.success, reply.json.data.status], [true, 'completed'])
  assert.deepEqual(reply.json.data.user, await me())
  assert.equal(reply.json.data.user.biz_name, 'Firm')
})

test('an empty completion is one, and may be repeated', async () => {
  const { complete, me } = await somebody()
  const first = await complete('')
  assert.deepEqual([first.status, first.json.data.completed], [200, true])
  app.clock.advance(60_000)
  const second = await complete({})
  assert.deepEqual(second.json.data.completed_at, first.json.data.completed_at)
  assert.equal((await me()).first_time, false)
})

test('the business can change with every completion: members one by one, all of them with is_business false', async () => {
  const { complete, me } = await somebody()
  await complete(firm)
  await complete({ biz_state: '', biz_position: null, bizPostalCode: 'N1' })
  assert.deepEqual(businessOf(await me()), { ...firm, biz_country: 'GB', biz_state: null, biz_postal_code: 'N1' })
  assertError(await complete({ biz_name: '' }), 400, 'VALIDATION_ERROR')
  await complete({ is_business: false })
  assert.deepEqual(businessOf(await me()), noBusiness)
  const [problem] = assertError(await complete({ is_business: true, biz_state: 'x' }), 400, 'VALIDATION_ERROR')
  assert.deepEqual(problem, { field: 'biz_name', message: 'is required when is_business is true' })
  assert.deepEqual(businessOf(await me()), noBusiness)
})

const refused: [members: Record<string, unknown>, fields?: string[]][] = [
  [{ is_business: 'true' }],
  [{ is_business: true }, ['biz_name']],
  [{ is_business: false, biz_name: 'Firm', biz_state: 'x' }, ['biz_name', 'biz_state']],
  [{ biz_name: 'x'.repeat(201) }],
  [{ biz_name: 'two\nlines' }],
  [{ biz_name: '\u202eevil' }],
  [{ biz_country: 'GBR' }],
  [{ biz_country: 'ZZ' }],
  [{ biz_country: 'G1' }],
  [{ biz_state: 'x'.repeat(101) }],
  [{ biz_position: 'x'.repeat(101) }],
  [{ biz_postal_code: 'x'.repeat(21) }],
  [{ team_size_range: 'canary '.repeat(6) }],
  [{ team_size_range: 'canary \u0007' }],
  [{ team_size_range: 5 }],
  [{ acquisition_source: 'canary '.repeat(10) }],
  [{ acquisition_channel: 'canary '.repeat(10) }],
  [{ acquisition_term: 'canary '.repeat(37) }],
  [{ acquisition_referrer: 'javascript:canary' }],
  [{ acquisition_landing_page: 'canary.example.com' }],
  [{ acquisition_landing_page: `https://canary.example/${'x'.repeat(2048)}` }],
  [{ acquisition_detail: 'canary '.repeat(72) }],
  [{ acquisition_detail: 'canary \u0007' }],
  [{ acquisition_anything: 'canary '.repeat(72) }],
  [{ acquisition_anything: { canary: 'of an object' } }],
  [{ acquisition_anything: 7 }],
  [Object.fromEntries(Array.from({ length: 21 }, (_, count) => [`acquisition_x${count}`, 'a'])), ['acquisition_*']],
  [{ name: 'x'.repeat(101), tmz: 'Mars/Base', biz_country: 'x' }, ['name', 'tmz', 'biz_country']],
  [{ phone: 'call me' }],
  [{ acquisitionUtmId: 'canary one', acquisition_utm_id: 'canary two' }, ['acquisition_utm_id']],
  [{ teamSizeRange: '2-10', team_size_range: '11-50' }, ['team_size_range']],
]
test('every wrong member is refused by name and without its value, and nothing beside it is written', async () => {
  const { ada, complete, me, state } = await somebody()
  const before = await me()
  for (const [members, fields = Object.keys(members)] of refused) {
    const reply = await complete({ title: 'beside', acquisition_medium: 'canary beside', ...members })
    const details = assertError(reply, 400, 'VALIDATION_ERROR', JSON.stringify(members))
    assert.deepEqual(
      details.map(({ field }) => field),
      fields,
      JSON.stringify(members),
    )
    assert.doesNotMatch(reply.text, /canary/)
  }
  assert.deepEqual([await me(), await keptOf(app, ada), (await state()).json.data.status], [before, {}, 'not_started'])
})

test('every write-only member is kept in both spellings, and names of the caller’s own beside the listed ones', async () => {
  const { ada, complete } = await somebody()
  const all = {
    ...acquisition('canary ada'),
    acquisition_referrer: 'https://example.com/?a=b',
    team_size_range: '2-10',
  }
  const { acquisition_source, acquisition_landing_page, acquisition_utm_id, team_size_range, ...others } = all
  const spelled = {
    acquisitionSource: acquisition_source,
    acquisitionLandingPage: acquisition_landing_page,
    acquisitionUtmId: acquisition_utm_id,
    teamSizeRange: team_size_range,
  }
  assert.equal(
    (await complete({ ...others, ...spelled, acquisition_: 'a', acquisition_É: 'b', acquisition_gone: '' })).status,
    200,
  )
  assert.deepEqual(await keptOf(app, ada), all)
})

test('the first completion that brings any acquisition value gives all of them; the size of the team is the last one', async () => {
  const { ada, complete } = await somebody()
  await complete({ team_size_range: '1', acquisition_source: '', acquisition_utm_id: null })
  assert.deepEqual(await keptOf(app, ada), { team_size_range: '1' })
  await complete({ acquisition_utm_id: 'canary first' })
  await complete({ ...acquisition('canary later'), team_size_range: '51-200' })
  assert.deepEqual(await keptOf(app, ada), { acquisition_utm_id: 'canary first', team_size_range: '51-200' })
  await complete({ team_size_range: ` canary ${'é'.repeat(33)} ` })
  assert.equal((await keptOf(app, ada)).team_size_range, `canary ${'é'.repeat(33)}`)
  await complete({ team_size_range: '' })
  assert.deepEqual(await keptOf(app, ada), { acquisition_utm_id: 'canary first' })
})

test('nobody but the owner brings any, and nobody on another way', async () => {
  const boss = await signedInAs(app, 'superadmin')
  const { ada, me } = await somebody()
  const before = await me()
  const members = { ...firm, ...acquisition('canary elsewhere'), team_size_range: '1001+', user_id: ada.id, id: ada.id }
  await app.call('PUT', '/auth/profile', { body: members, ...withSession(ada.sessionToken) })
  await app.call('PUT', `/auth/admin/users/${ada.id}`, {
    body: { title: 'x', ...members },
    ...withSession(boss.sessionToken),
  })
  assert.deepEqual([await keptOf(app, ada), await me()], [{}, { ...before, title: 'x' }])
  await asPerson(app, boss).complete(members)
  assert.deepEqual(await keptOf(app, ada), {})
})

test('what a completion does not list is ignored: it raises nobody', async () => {
  const { ada, complete, me } = await somebody()
  const before = await me()
  const rights = {
    user_type: 'superadmin',
    is_verified: true,
    two_factor: true,
    email: 'eve@example.com',
    id: ada.sessionToken,
  }
  const others = { user_name: 'another', picture: 'https://example.com/a.png', metadata: { a: 1 }, first_time: true }
  assert.equal(
    (await complete({ ...rights, ...others, password: 'another quiet river', gdpr_consent: true })).status,
    200,
  )
  assert.deepEqual(await me(), { ...before, first_time: false })
})

test('back ends see the change at once', async () => {
  const { ada, complete } = await somebody()
  const headers = { 'x-bridge-secret': bridgeSecret, 'x-session-id': ada.sessionToken }
  const seen = async () => (await app.get('/auth/user/me', { headers })).json.user
  assert.equal((await seen()).is_business, false)
  await complete(firm)
  const { biz_country, first_time } = await seen()
  assert.deepEqual({ biz_country, first_time }, { biz_country: 'GB', first_time: false })
})

test('the trace names what changed of the user, and nothing that is write-only', async () => {
  const { ada, complete } = await somebody()
  await complete({ biz_name: 'Canary Firm', name: 'Canary', ...acquisition('canary trace'), team_size_range: '2-10' })
  await complete({ team_size_range: '11-50' })
  const traces = (await auditOf(app, 'onboarding_completed')).filter(({ target_id }) => target_id === ada.id)
  assert.deepEqual(
    traces.map(({ details }) => details),
    [{ changed: ['name', 'biz_name', 'first_time'] }, {}],
  )
  assert.deepEqual(
    (await auditOf(app, 'profile_updated')).filter(({ target_id }) => target_id === ada.id),
    [],
  )
})

test('administrators find users by what they said about their business', async () => {
  const boss = await signedInAs(app, 'admin')
  const [one, other] = [await somebody(), await somebody()]
  await one.complete({ ...firm, biz_country: 'MT' })
  await other.complete({ biz_country: 'mt' })
  const found = async (query: string): Promise<string[]> => {
    const { json } = await app.get(`/auth/users?limit=100&${query}`, withSession(boss.sessionToken))
    const ids: string[] = json.data.users.map(({ id }: SignedIn) => id)
    return [one.ada.id, other.ada.id].filter((id) => ids.includes(id))
  }
  assert.deepEqual(await found('biz_country=mt'), [one.ada.id, other.ada.id])
  assert.deepEqual(await found('bizCountry=MT&is_business=true'), [one.ada.id])
  assert.deepEqual(await found('isBusiness=false'), [other.ada.id])
  const details = await app.get(`/auth/admin/users/${one.ada.id}`, withSession(boss.sessionToken))
  assert.deepEqual(businessOf(details.json.data.user), { ...firm, biz_country: 'MT' })
  for (const wrong of ['biz_country=GBR', 'biz_country=G', 'is_business=yes'])
    assertError(await app.get(`/auth/users?${wrong}`, withSession(boss.sessionToken)), 400, 'VALIDATION_ERROR', wrong)
})

test('a session that has ended completes nothing, and neither does a partial one', async () => {
  const { ada, complete } = await somebody()
  await app.post('/auth/logout', {}, withSession(ada.sessionToken))
  assertError(await complete(acquisition('canary ended')), 401, 'INVALID_SESSION')
  assert.deepEqual(await keptOf(app, ada), {})
})
