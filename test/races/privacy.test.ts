import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256Bytes } from '../../src/lib/hash.ts'
import { newId, newSecret } from '../../src/lib/ids.ts'
import { seal } from '../../src/lib/seal.ts'
import {
  call,
  type Nodes,
  needsPostgres,
  newAddress,
  type Registered,
  registerAt,
  startNodes,
  tally,
} from '../nodes/nodes.ts'
import { raceRounds, releaseTogether } from '../support/races.ts'

const path = '/auth/user/me/privacy'
const many = 16
const key = randomBytes(32)

describe('what people ask for about their data at one instant on two nodes', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    const limits = { RATE_LIMIT_EXPORT: '100000/1h', RATE_LIMIT_REGISTRATION: '100000/1h', MAIL_CAP: '1000/1h' }
    const DATA_KEYS = `1:${key.toString('base64url')}`
    nodes = await startNodes(2, { MODULES_AUTO_INSTALL: 'privacy', DATA_KEYS, ...limits })
  })
  after(() => nodes?.stop())

  const request = ({ sessionToken }: Registered, index: number, method: string, what: string) => ({
    method,
    url: `${nodes.urls[index % 2]}${path}${what}`,
    headers: { 'x-session-id': sessionToken, 'x-forwarded-for': newAddress() },
    ...(method !== 'DELETE' && { body: {} }),
  })
  const rows = async <Row>(text: string, values: unknown[]) => nodes.database.query<Row>(text, values)
  const eventsOf = async ({ id }: Registered, event: string) =>
    (await rows('SELECT 1 FROM user_privacy_events WHERE user_id = $1 AND event = $2', [id, event])).length
  const statusesOf = async ({ id }: Registered) =>
    (await rows<{ status: string }>('SELECT status FROM user_deletion_requests WHERE user_id = $1', [id])).map(
      ({ status }) => status,
    )

  test('many requests for deletion are one, with one time for all', async () => {
    for (let round = 0; round < raceRounds(5); round++) {
      const ada = await registerAt(nodes.urls[0]!)
      const replies = await releaseTogether(
        Array.from({ length: many }, (_, index) => request(ada, index, 'POST', '/delete-request')),
      )
      assert.deepEqual(tally(replies), { 200: many })
      assert.equal(new Set(replies.map(({ body }) => body)).size, 1)
      assert.deepEqual(await statusesOf(ada), ['pending'])
      assert.equal(await eventsOf(ada, 'deletion_requested'), 1)
    }
  })

  test('cancelled many times it is cancelled once', async () => {
    const ada = await registerAt(nodes.urls[0]!)
    await call(`${nodes.urls[0]}${path}/delete-request`, { body: {}, headers: { 'x-session-id': ada.sessionToken } })
    const replies = await releaseTogether(
      Array.from({ length: many }, (_, index) => request(ada, index, 'DELETE', '/delete-request')),
    )
    assert.deepEqual(tally(replies), { 200: 1, 404: many - 1 })
    assert.equal(await eventsOf(ada, 'deletion_cancelled'), 1)
  })

  test('asked for and cancelled at once, the history says what has come of it', async () => {
    for (let round = 0; round < raceRounds(10); round++) {
      const ada = await registerAt(nodes.urls[0]!)
      const replies = await releaseTogether(
        Array.from({ length: many }, (_, index) =>
          request(ada, index, index % 4 < 2 ? 'POST' : 'DELETE', '/delete-request'),
        ),
      )
      assert.ok(replies.every(({ status }) => status === 200 || status === 404))
      const pending = (await statusesOf(ada)).filter((status) => status === 'pending').length
      const asked = await eventsOf(ada, 'deletion_requested')
      assert.equal(asked - (await eventsOf(ada, 'deletion_cancelled')), pending)
      assert.ok(pending <= 1)
    }
  })

  test('a consent that is sent many times is one decision', async () => {
    const ada = await registerAt(nodes.urls[0]!)
    const body = { gdpr_consent: true, gdpr_consent_version: '1' }
    const replies = await releaseTogether(
      Array.from({ length: many }, (_, index) => ({ ...request(ada, index, 'PUT', ''), body })),
    )
    assert.deepEqual(tally(replies), { 200: many })
    assert.equal(await eventsOf(ada, 'gdpr_consent_given'), 1)
  })

  test('one file is made for many requests', async () => {
    const ada = await registerAt(nodes.urls[0]!)
    const replies = await releaseTogether(
      Array.from({ length: many }, (_, index) => request(ada, index, 'POST', '/exports')),
    )
    assert.deepEqual(tally(replies), { 200: many })
    const made = async () => (await eventsOf(ada, 'export_made')) > 0
    for (const end = performance.now() + 20_000; !(await made()) && performance.now() < end; ) await sleep(50)
    const found = await rows('SELECT 1 FROM user_privacy_exports WHERE user_id = $1', [ada.id])
    assert.equal(found.length, 1)
  })

  test('a link to a file gives it to one of those who open it', async () => {
    const ada = await registerAt(nodes.urls[0]!)
    const [id, token] = [newId(), newSecret()]
    const archive = seal([{ id: '1', key }], '{"of":"ada"}')
    await rows(`INSERT INTO user_privacy_exports VALUES ($1, $2, 'ready', $3, now(), now() + interval '1 day')`, [
      id,
      ada.id,
      archive,
    ])
    await rows(
      `INSERT INTO one_time_secrets (id, purpose, secret_hash, user_id, target, created_at, expires_at)
       VALUES ($1, 'personal_data', $2, $3, $4, now(), now() + interval '1 day')`,
      [newId(), sha256Bytes(token), ada.id, id],
    )
    const replies = await releaseTogether(
      Array.from({ length: many }, (_, index) => ({
        method: 'POST',
        url: `${nodes.urls[index % 2]}/auth/privacy/exports/download`,
        headers: { 'x-forwarded-for': newAddress() },
        body: { token },
      })),
    )
    assert.deepEqual(tally(replies), { 200: 1, 400: many - 1 })
    assert.equal(replies.find(({ status }) => status === 200)?.body.trimEnd(), '{"of":"ada"}')
  })
})
