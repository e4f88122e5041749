import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { day, hour, minute, second } from '../../../src/lib/time.ts'
import { directoryOf, invalidateDirectory } from '../../../src/modules/oauth/directory.ts'
import { findDirectoryVersion } from '../../../src/modules/oauth/directory-queries.ts'
import { findSigningKeys } from '../../../src/modules/oauth/keys/key-queries.ts'
import { mailWith } from '../../email-addresses/change-support.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../../support/people.ts'
import { auditOf } from '../../support/rows.ts'
import { eventsDuring } from '../../support/service-events.ts'
import type { TestApp } from '../../support/test-app.ts'
import {
  addResource,
  isPublished,
  keysPath,
  kidOf,
  listed,
  rotate,
  signed,
  startOAuth,
  superadmin,
  upkeep,
  verifies,
} from './key-support.ts'

let app: TestApp
let root: SignedIn
before(async () => {
  app = await startOAuth()
})
after(() => app.stop())
beforeEach(async () => {
  root = await superadmin(app)
  await sql`DELETE FROM oauth_resources`.execute(app.ctx.db)
  await sql`DELETE FROM oauth_keys`.execute(app.ctx.db)
  await invalidateDirectory(app.ctx, await findDirectoryVersion(app.ctx.db))
})

const statuses = async () => (await listed(app)).map(({ status }) => status)

const passes = async (milliseconds: number) => {
  app.clock.advance(milliseconds)
  await upkeep(app)
}

test('the job creates the keys of the algorithms in use, so that verifiers know them early', async () => {
  await upkeep(app)
  assert.deepEqual(await statuses(), [])
  await addResource(app)
  await addResource(app, 'EdDSA')
  await upkeep(app)
  assert.deepEqual((await listed(app)).map(({ alg }) => alg).toSorted(), ['ES256', 'EdDSA'])
})

test('a key is published a day before it signs, signs for 90 days, and verifies until its tokens have ended', async () => {
  await addResource(app)
  const first = await signed(app)
  await passes(89 * day - minute)
  assert.deepEqual(await statuses(), ['current'])
  await passes(minute)
  const [, next] = await listed(app)
  assert.deepEqual([next?.status, next?.published], ['next', true])
  assert.equal(kidOf(await signed(app)), kidOf(first))
  await passes(day - minute)
  const last = await signed(app)
  assert.equal(kidOf(last), kidOf(first))
  await passes(minute)
  const second = await signed(app)
  assert.equal(kidOf(second), next?.kid)
  for (const jwt of [last, second]) assert.ok((await isPublished(app, jwt)) && (await verifies(app, jwt)))
  assert.deepEqual(await statuses(), ['retired', 'current'])

  const [retired] = await findSigningKeys(app.ctx.db)
  assert.equal(retired?.sealed_private, '', 'it never signs again')
  await passes(hour - 2 * minute)
  assert.ok((await isPublished(app, last)) && (await verifies(app, last)))
  await passes(hour + 2 * minute)
  assert.deepEqual(
    (await listed(app)).map(({ published }) => published),
    [false, true],
  )
  assert.equal(await verifies(app, last), false)
  assert.equal(await isPublished(app, second), false, 'it has expired')
  assert.ok(await isPublished(app, await signed(app)))
})

test('a key that is no longer published is deleted after 90 days', async () => {
  await addResource(app)
  const kid = kidOf(await signed(app))
  await passes(89 * day)
  await passes(day)
  await passes(90 * day + hour)
  assert.ok((await listed(app)).some((key) => key.kid === kid))
  await passes(2 * hour)
  assert.ok(!(await listed(app)).some((key) => key.kid === kid))
})

test('a next key does not sign before verifiers can know it, even if the job ran late', async () => {
  await addResource(app)
  await signed(app)
  await passes(200 * day)
  assert.deepEqual(await statuses(), ['current', 'next'])
  await passes(day - minute)
  assert.deepEqual(await statuses(), ['current', 'next'])
  await passes(minute)
  assert.deepEqual(await statuses(), ['retired', 'current'])
})

test('a key of an algorithm that is no longer in use gets no successor', async () => {
  const jwt = await signed(app, 'EdDSA')
  await passes(89 * day)
  assert.deepEqual(await statuses(), ['current'])
  await passes(day)
  assert.deepEqual(await statuses(), ['retired'])
  assert.notEqual(kidOf(await signed(app, 'EdDSA')), kidOf(jwt))
})

test('a node that does not know of a rotation yet verifies the tokens of the new key, and its own verify', async () => {
  await addResource(app)
  await signed(app)
  await passes(89 * day)
  const before = await directoryOf(app.ctx).read()
  await passes(day)
  const after = await directoryOf(app.ctx).read()
  const [old, current] = [before.keys.signing('ES256'), after.keys.signing('ES256')]
  assert.notEqual(old?.kid, current?.kid)
  const now = app.clock.now()
  assert.ok(before.keys.verifying(current?.kid ?? '', now))
  assert.ok(after.keys.verifying(old?.kid ?? '', now))
})

test('a planned rotation publishes a key first, waits for an hour, and then lets it sign', async () => {
  const jwt = await signed(app)
  const published = await rotate(app, root)
  assert.equal(published.status, 200, published.text)
  const [{ kid, ...first }] = published.json.data.keys
  const activeFrom = new Date(app.clock.now() + day).toISOString()
  assert.deepEqual(first, { alg: 'ES256', outcome: 'published', active_from: activeFrom })
  app.clock.advance(hour - second)
  const busy = await rotate(app, root, { alg: 'ES256' })
  assert.deepEqual([busy.status, busy.json.code], [409, 'OAUTH_KEY_BUSY'])
  assert.equal(kidOf(await signed(app)), kidOf(jwt))
  app.clock.advance(second)
  const events = await eventsDuring(app, async () => {
    const { json } = await rotate(app, root, { alg: 'ES256' })
    assert.deepEqual([json.data.keys[0].outcome, json.data.keys[0].kid], ['activated', kid])
  })
  assert.deepEqual(
    events.map(({ type, data }) => [type, data]),
    [['signing_key.rotated', { alg: 'ES256', kid, replaces: kidOf(jwt), compromised: false }]],
  )
  assert.equal(kidOf(await signed(app)), kid)
  assert.ok(await verifies(app, await signed(app)))
  assert.deepEqual((await statuses()).toSorted(), ['current', 'retired'])
})

test('a misspelt member does not turn the answer to a compromise into a planned rotation', async () => {
  await addResource(app)
  await signed(app)
  const before = await statuses()
  for (const body of [{ is_compromised: true }, { compromise: true }]) {
    const { status, json } = await rotate(app, root, body)
    assert.deepEqual([status, json.code], [400, 'VALIDATION_ERROR'], JSON.stringify(body))
  }
  assert.deepEqual(await statuses(), before)
})

test('a compromised key and its successor are rejected at once, and superadmins are told', async () => {
  await signed(app, 'EdDSA')
  const jwt = await signed(app)
  await rotate(app, root, { alg: 'ES256' })
  const stolen = (await findSigningKeys(app.ctx.db)).filter(({ alg }) => alg === 'ES256').map(({ kid }) => kid)
  assert.equal(stolen.length, 2)
  const events = await eventsDuring(app, async () => {
    const { json } = await rotate(app, root, { alg: 'ES256', compromised: true })
    assert.equal(json.data.keys[0].outcome, 'replaced')
  })
  assert.equal(await isPublished(app, jwt), false)
  assert.equal(await verifies(app, jwt), false)
  const fresh = await signed(app)
  assert.ok((await isPublished(app, fresh)) && (await verifies(app, fresh)))
  assert.deepEqual(
    (await findSigningKeys(app.ctx.db))
      .filter(({ kid }) => stolen.includes(kid))
      .map(({ status, sealed_private }) => [status, sealed_private]),
    [
      ['removed', ''],
      ['removed', ''],
    ],
  )
  assert.deepEqual(events[0]?.data, { alg: 'ES256', kid: kidOf(fresh), replaces: kidOf(jwt), compromised: true })
  const [record] = (await auditOf(app, 'oauth_key_compromised')).slice(-1)
  assert.deepEqual([record?.actor_id, record?.details.alg], [root.id, 'ES256'])
  assert.deepEqual(new Set(record?.details.kids as string[]), new Set(stolen))
  await mailWith(app, root.email, 'replaced the keys of these algorithms: ES256.')
  assert.ok((await listed(app)).some(({ alg, status }) => alg === 'EdDSA' && status === 'current'))
})

test('a retired key of the algorithm is also removed after a compromise', async () => {
  const jwt = await signed(app)
  await rotate(app, root)
  app.clock.advance(hour)
  const { json } = await rotate(app, root)
  assert.equal(json.data.keys[0].outcome, 'activated')
  assert.ok(await verifies(app, await signed(app)))
  assert.equal((await rotate(app, root, { compromised: true })).status, 200)
  assert.equal(await verifies(app, jwt), false)
})

test('a removed key does not come back, whatever is written to its row', async () => {
  const jwt = await signed(app)
  await rotate(app, root, { compromised: true })
  await sql`UPDATE oauth_keys SET status = 'retired', published_until = NULL WHERE kid = ${kidOf(jwt)}`.execute(
    app.ctx.db,
  )
  await invalidateDirectory(app.ctx, await findDirectoryVersion(app.ctx.db))
  assert.equal(await verifies(app, jwt), false)
  assert.equal(await isPublished(app, jwt), false)
})

test('only superadmins with a recent authentication see or rotate keys', async () => {
  const [admin, customer] = [await signedInAs(app, 'admin'), await registered(app)]
  const jwt = await signed(app)
  for (const who of [admin, customer])
    for (const reply of [
      await app.get(keysPath, withSession(who.sessionToken)),
      await rotate(app, who, { compromised: true }),
    ])
      assert.deepEqual([reply.status, reply.json.code], [403, 'FORBIDDEN'])
  app.clock.advance(13 * hour)
  const late = await rotate(app, root, { compromised: true })
  assert.deepEqual([late.status, late.json.code], [403, 'REAUTH_REQUIRED'])
  assert.equal(kidOf(await signed(app)), kidOf(jwt))
})

test('rejects an algorithm that has no key, and one that is unknown', async () => {
  for (const alg of ['RS256', 'HS256', 'none']) {
    const reply = await rotate(app, root, { alg })
    assert.equal(reply.status, 400, reply.text)
    assert.equal(reply.json.details[0].field, 'alg')
  }
  const { status, json } = await rotate(app, root)
  assert.deepEqual([status, json.data.keys], [200, []])
})
