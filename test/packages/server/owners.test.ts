import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { askService } from '../../../packages/server/src/ask-service.ts'
import { cachedSessions } from '../../../packages/server/src/cached-sessions.ts'
import { followEvents } from '../../../packages/server/src/event-stream.ts'
import { eventually } from '../../support/eventually.ts'

/** A service whose sessions have the owners that the test chooses. */
const service = createServer(async (request, response) => {
  if (request.method === 'GET') return openStream(response)
  const { session_ids } = (await json(request)) as { session_ids: string[] }
  asked.push(...session_ids)
  const results = session_ids.map(resultOf)
  response.end(JSON.stringify({ success: true, process: 'one', time: performance.now(), results }))
})
let owners: Record<string, unknown>
let roles: Record<string, string[]> = {}
const asked: string[] = []
let send: (name: string, data: object) => void
let heartbeats: NodeJS.Timeout | undefined
let sessions: ReturnType<typeof cachedSessions>

function openStream(response: ServerResponse): void {
  send = (name, data) => response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  const clock = () => ({ process: 'one', time: performance.now() })
  send('start', { ...clock(), max_age: 5_000 })
  heartbeats = setInterval(() => send('heartbeat', { ...clock(), age: 0 }), 50)
}

function resultOf(token: string): object {
  return {
    success: true,
    user: { id: `user of ${token}` },
    session: { id: token },
    expires_at: new Date(Date.now() + 60_000),
    timestamp: new Date(),
    ...(owners[token] !== undefined && { owners: owners[token] }),
    ...(roles[token] && { roles: roles[token], permissions: roles[token] }),
    age: 0,
    tag: 'a tag',
  }
}

before(async () => {
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  const internalUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const settings = { internalUrl, bridgeSecret: 'secret', fetch }
  sessions = cachedSessions({
    ask: askService(settings),
    follow: (handler) => followEvents(settings, handler),
    maxSessions: 10,
  })
})
after(() => {
  clearInterval(heartbeats)
  sessions.close()
  service.closeAllConnections()
  service.close()
})

test('the revocation of any owner invalidates a cached session, and no others', async () => {
  owners = {
    plain: undefined,
    shop: ['user of shop', 'a shop'],
    many: Array.from({ length: 25 }, (_, n) => `owner ${n}`),
  }
  // Nothing is cached in the first second of a stream.
  await eventually(async () => {
    for (const token of ['plain', 'shop']) await sessions.validate(token)
    return ['plain', 'shop'].every((token) => sessions.peek(token) !== 'ask')
  })
  await sessions.validate('many')
  assert.equal(sessions.peek('many'), 'ask', 'a session with too many owners is not cached')

  send('revoked', { user_id: 'a role of nobody', owner_id: 'a role of nobody', epoch: 1 })
  send('revoked', { owner_id: 'a shop', epoch: 1 })
  await eventually(() => sessions.peek('shop') === 'ask')
  assert.notEqual(sessions.peek('plain'), 'ask')
  await sessions.validate('shop')
  assert.equal(sessions.peek('shop'), 'ask', 'the response may be older than the revocation')

  send('revoked', { user_id: 'user of plain', epoch: 1 })
  await eventually(() => sessions.peek('plain') === 'ask')
})

test('a role is an owner, and a response with other roles replaces the cached session', async () => {
  owners = { staff: ['user of staff', 'editor'] }
  roles = { staff: ['editor'] }
  const validated = async () => (await sessions.validate('staff'))?.roles
  const cached = () => {
    const known = sessions.peek('staff')
    return known === 'ask' ? known : known.roles
  }
  await eventually(async () => (await validated()) !== undefined && cached() !== 'ask')
  assert.deepEqual(cached(), ['editor'])

  owners = { staff: ['user of staff', 'accountant'] }
  roles = { staff: ['accountant'] }
  assert.deepEqual(await validated(), ['editor'], 'the cached session is current until an owner is revoked')
  send('revoked', { user_id: 'user of staff', owner_id: 'user of staff', epoch: 2 })
  await eventually(() => cached() === 'ask')
  assert.deepEqual(await validated(), ['accountant'])
  await eventually(async () => (await validated()) !== undefined && cached() !== 'ask')

  send('revoked', { user_id: 'editor', owner_id: 'editor', epoch: 3 })
  send('revoked', { user_id: 'accountant', owner_id: 'accountant', epoch: 4 })
  await eventually(() => cached() === 'ask')
  roles = {}
})

test('a session whose owners are unreadable is neither valid nor invalid', async () => {
  for (const value of ['a shop', { id: 'a shop' }, [1], null]) {
    owners = { odd: value }
    await assert.rejects(sessions.validate('odd'), { code: 'UNAVAILABLE' }, JSON.stringify(value))
  }
  assert.ok(asked.includes('odd'))
})
