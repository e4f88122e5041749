import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { isWriteOnlyName } from '../../../src/lib/write-only.ts'
import { assertError } from '../../http/support.ts'
import { install } from '../../support/modules.ts'
import { registered, signedInAs, withSession } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { acquisition, asPerson } from './support.ts'

let free: TestApp
let fixed: TestApp
before(async () => {
  free = await startTestApp({ modules: ['onboarding'] })
  fixed = await startTestApp({ env: { ONBOARDING_STEPS: 'profile, company,team-2' } })
})
after(() => Promise.all([free, fixed].map((app) => app?.stop())))

const somebody = async (app: TestApp) => asPerson(app, await registered(app))

// This test runs first because the other tests need the module installed.
test('without the module there is nothing: routes, members and filters; with it, all at once', async () => {
  const [ada, boss] = [await registered(fixed), await signedInAs(fixed, 'admin')]
  const { state, complete, me } = asPerson(fixed, ada)
  assertError(await state(), 404, 'module_not_installed')
  assertError(await complete({ is_business: true, biz_name: 'Firm' }), 404, 'module_not_installed')
  assertError(
    await fixed.post('/auth/user/me/onboarding', {}, withSession(ada.sessionToken)),
    404,
    'module_not_installed',
  )
  assertError(await complete({ is_business: 'yes' }), 400, 'VALIDATION_ERROR')
  const members = Object.keys(await me()).filter((name) => /^(is_business|biz_)/.test(name))
  assert.deepEqual(members, [])
  for (const filter of ['is_business=true', 'biz_country=GB'])
    assertError(await fixed.get(`/auth/users?${filter}`, withSession(boss.sessionToken)), 400, 'module_not_installed')
  await install(fixed, 'onboarding')
  assert.equal((await complete({ is_business: true, biz_name: 'Firm' })).json.data.user.biz_name, 'Firm')
  const { json } = await fixed.get('/auth/users?is_business=true', withSession(boss.sessionToken))
  assert.deepEqual(
    json.data.users.map(({ id }: { id: string }) => id),
    [ada.id],
  )
})

test('the wizard goes through its steps, keeps what they bring, and ends with the completion', async () => {
  const { state, post, complete } = await somebody(fixed)
  const fresh = (await state()).json
  assert.deepEqual(Object.keys(fresh).toSorted(), ['data', 'meta', 'user_context'])
  const { id, user_id, ...nothing } = fresh.data
  assert.equal(id, user_id)
  const unset = { completed: false, data: {}, steps: {}, started_at: null, completed_at: null }
  assert.deepEqual(nothing, { status: 'not_started', step: 'profile', ...unset })

  const started_at = new Date(fixed.clock.now()).toISOString()
  const begun = (await post('/start', { from: 'mail', deep: [{ a: null }] })).json.data
  const start = { from: 'mail', deep: [{ a: null }] }
  const running = { ...begun, status: 'in_progress', step: 'profile', started_at, data: { start } }
  assert.deepEqual(begun, running)
  fixed.clock.advance(1_000)
  assert.deepEqual((await post('/start', { from: 'elsewhere' })).json.data, begun)

  const skipped = (await post('/steps/company/skip')).json.data
  assert.deepEqual(skipped, { ...begun, steps: { company: 'skipped' } })
  const done = (await post('/steps/profile/complete', { nick_name: 'A', nickName: 'B' })).json.data
  const data = { start, profile: { nick_name: 'A', nickName: 'B' } }
  assert.deepEqual(done, { ...begun, step: 'team-2', data, steps: { company: 'skipped', profile: 'done' } })
  const again = (await post('/steps/company/complete')).json.data
  assert.deepEqual([again.steps.company, again.data.company], ['done', {}])
  assert.equal((await post('/steps/team-2/complete', { with: 'Grace' })).json.data.step, null)

  await complete({})
  const over = (await state()).json.data
  assert.deepEqual([over.status, over.step, over.completed, over.data.profile], ['completed', null, true, data.profile])
  assert.deepEqual((await post('/start', { from: 'late' })).json.data, over)
  for (const move of ['complete', 'skip'])
    assertError(await post(`/steps/profile/${move}`, { nick_name: 'C' }), 409, 'ONBOARDING_COMPLETED')
  assert.deepEqual((await state()).json.data, over)
})

test('a step that is none is not there', async () => {
  const [some, any] = [await somebody(fixed), await somebody(free)]
  for (const step of ['other', 'start', 'Profile', 'constructor', '__proto__'])
    for (const move of ['complete', 'skip'])
      assertError(await some.post(`/steps/${step}/${move}`), 404, 'NOT_FOUND', step)
  const never = ['start', 'Profile', '1st', 'x'.repeat(41), 'a.b', '__proto__', 'acquisition_source', 'team_size_range']
  for (const step of never) assertError(await any.post(`/steps/${step}/skip`), 404, 'NOT_FOUND', step)
  assert.equal((await any.state()).json.data.status, 'not_started')
})

test('without a fixed order every name is a step, up to 32 of them; the first one begins the wizard', async () => {
  const { post, state } = await somebody(free)
  for (let count = 1; count <= 32; count++) {
    const { json } = await post(`/steps/step-${count}/skip`)
    assert.deepEqual([json.data.status, json.data.step], ['in_progress', null])
  }
  const [problem] = assertError(await post('/steps/step-33/skip'), 400, 'VALIDATION_ERROR')
  assert.equal(problem?.field, 'step')
  assert.equal((await post('/steps/step-32/complete')).status, 200)
  assert.equal(Object.keys((await state()).json.data.steps).length, 32)
})

test('what steps bring has 16 KiB together, and none of the names that objects have of their own', async () => {
  const { post, state } = await somebody(free)
  const half = { text: 'x'.repeat(8_000) }
  assert.equal((await post('/steps/one/complete', half)).status, 200)
  assert.equal((await post('/steps/two/complete', half)).status, 200)
  for (const body of [half, { constructor: 1 }, { a: [{ prototype: 1 }] }])
    assertError(await post('/steps/three/complete', body), 400, 'VALIDATION_ERROR')
  assertError(await post('/steps/constructor/complete', {}), 400, 'VALIDATION_ERROR')
  for (const body of ['[]', '"text"', '{"__proto__": {}}', '{"a":'])
    assertError(await post('/steps/three/complete', body), 400, 'VALIDATION_ERROR', body)
  assert.deepEqual(Object.keys((await state()).json.data.steps), ['one', 'two'])
})

test('nothing that is write-only gets into a step, in any spelling and at any depth', async () => {
  const { post, state } = await somebody(free)
  const bodies: [object, string][] = [
    [{ acquisition_source: 'canary value' }, 'acquisition_source'],
    [{ acquisitionSource: 'canary value' }, 'acquisitionSource'],
    [{ 'Acquisition-Source': 'canary value' }, 'Acquisition-Source'],
    [{ a: { acquisition_anything: 'canary value' } }, 'a.acquisition_anything'],
    [{ a: [{ b: { ACQUISITION_X: ['canary value'] } }] }, 'a.0.b.ACQUISITION_X'],
    [{ acquisition: { source: 'canary value' } }, 'acquisition'],
    [{ ａｃｑｕｉｓｉｔｉｏｎ＿source: 'canary value' }, 'ａｃｑｕｉｓｉｔｉｏｎ＿source'],
    [{ team_size_range: 'canary value' }, 'team_size_range'],
    [{ deep: { teamSizeRange: 'canary value' } }, 'deep.teamSizeRange'],
    [{ 'team-size-range': 'canary value' }, 'team-size-range'],
  ]
  for (const [body, field] of bodies)
    for (const path of ['/start', '/steps/one/complete']) {
      const reply = await post(path, body)
      assert.deepEqual(assertError(reply, 400, 'VALIDATION_ERROR', field)[0]?.field, field)
      assert.doesNotMatch(reply.text, /canary/)
    }
  const long = assertError(await post('/start', { [`acquisition_${'x'.repeat(200)}`]: 1 }), 400, 'VALIDATION_ERROR')
  assert.equal(long[0]?.field.length, 100)
  assert.equal((await state()).json.data.status, 'not_started')
  assert.equal((await post('/start', { team_size: 3, requisition: 'a', the_acquisition: 'b' })).status, 200)
})

test('a name is write-only in whatever way its words are put together', () => {
  const words = fc.array(fc.stringMatching(/^[a-z0-9]{1,8}$/), { minLength: 1, maxLength: 4 })
  const joiner = fc.constantFrom('_', '-', '.', ' ', '', '__')
  fc.assert(
    fc.property(words, joiner, fc.boolean(), (rest, between, shouts) => {
      const name = ['acquisition', ...rest].join(between)
      assert.ok(isWriteOnlyName(shouts ? name.toUpperCase() : name))
    }),
  )
})

test('two people have nothing to do with each other, and a deleted one leaves nothing behind', async () => {
  const [ada, grace] = [await registered(free), await registered(free)]
  await asPerson(free, ada).post('/start', { mine: true })
  await asPerson(free, ada).complete({ ...acquisition('canary gone'), team_size_range: '1' })
  assert.equal((await asPerson(free, grace).state()).json.data.status, 'not_started')
  await free.database.query('DELETE FROM users WHERE id = $1', [ada.id])
  for (const table of ['user_onboarding', 'user_acquisition'])
    assert.deepEqual(await free.database.query(`SELECT 1 FROM ${table} WHERE user_id = $1`, [ada.id]), [])
})
