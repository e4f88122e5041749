import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyEvent } from '../../packages/server/src/index.ts'
import { second } from '../../src/lib/time.ts'
import { eventually } from '../support/eventually.ts'
import { registered, withSession } from '../support/people.ts'
import type { TestApp } from '../support/test-app.ts'
import { type Receiver, respond, startReceiver } from './receiver.ts'
import { type Owner, ownerOf, startOpenApp } from './support.ts'

describe('deliveries', () => {
  let app: TestApp
  let owner: Owner
  const receivers: Receiver[] = []
  before(async () => {
    app = await startOpenApp()
    owner = await ownerOf(app)
  })
  after(() => app.stop())
  afterEach(async () => {
    for (const { id } of (await owner.call('GET')).json.data.webhooks) await owner.call('DELETE', `/${id}`)
    for (const receiver of receivers.splice(0)) await receiver.close()
  })

  const receiver = async () => {
    const one = await startReceiver()
    receivers.push(one)
    return one
  }
  const typesOf = ({ received }: Receiver) => received.map(({ event }) => event.type)

  test('a matching event is sent once, signed as Standard Webhooks requires, with the custom headers', async () => {
    const back = await receiver()
    const headers = [{ name: 'Authorization', value: 'Bearer canary' }]
    const { secret } = await owner.create({ url: back.url, events: ['user.created', 'session.*'], headers })
    const ada = await registered(app)
    const ofAda = () => back.received.filter(({ event }) => event.data.user_id === ada.id)
    await eventually(() => ofAda().length === 2)
    assert.deepEqual(
      ofAda().map(({ event }) => event.type),
      ['user.created', 'session.created'],
    )
    const [first] = ofAda()
    assert.ok(first)
    assert.equal(first.headers.authorization, 'Bearer canary')
    assert.equal(first.headers['content-type'], 'application/json')
    assert.match(first.headers['user-agent'] ?? '', /^Wardenry\/\d/)
    assert.equal(first.headers['webhook-id'], first.event.id)
    const verified = new Webhook(secret).verify(first.body, first.headers as Record<string, string>)
    assert.deepEqual(verified, first.event)
    assert.deepEqual(verifyEvent({ body: first.body, headers: first.headers, secrets: secret }), first.event)
    assert.deepEqual(first.event.data, { user_id: ada.id })
    const wrong = new Webhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    assert.throws(() => wrong.verify(first.body, first.headers as Record<string, string>))
  })

  test('after a rotation, both secrets sign, and after the next one only the two newest', async () => {
    const back = await receiver()
    const { id, secret: oldest } = await owner.create({ url: back.url, events: ['user.created'] })
    const rotate = async () => (await owner.call('POST', `/${id}/secret`)).json.data.secret as string
    const older = await rotate()
    await registered(app)
    await eventually(() => back.received.length === 1)
    const newest = await rotate()
    await registered(app)
    await eventually(() => back.received.length === 2)
    const isValid = (at: number, secret: string) => {
      const { body, headers } = back.received[at] ?? assert.fail()
      try {
        return Boolean(new Webhook(secret).verify(body, headers as Record<string, string>))
      } catch {
        return false
      }
    }
    assert.deepEqual(
      [oldest, older, newest].map((secret) => isValid(0, secret)),
      [true, true, false],
    )
    assert.deepEqual(
      [oldest, older, newest].map((secret) => isValid(1, secret)),
      [false, true, true],
    )
    assert.equal((await owner.get(id)).has_former_secret, true)
  })

  test('events about the same user wait for each other, and others do not wait', async () => {
    const back = await receiver()
    await owner.create({ url: back.url, events: ['user.created', 'session.created', 'session.ended'] })
    const ada = await registered(app)
    await eventually(() => back.received.length === 2)
    back.behave((reply, { event }) => respond(event.data.user_id === ada.id ? 500 : 204)(reply, undefined as never))
    await app.post('/auth/logout', {}, withSession(ada.sessionToken))
    await app.post('/auth/login', { email: ada.email, password: ada.password })
    const grace = await registered(app, 'grace')
    await eventually(() => back.received.filter(({ event }) => event.data.user_id === grace.id).length === 2)
    assert.deepEqual(
      typesOf(back)
        .slice(2)
        .filter((type) => type === 'session.ended').length > 0,
      true,
    )
    const ofAda = () =>
      back.received.filter(({ event }) => event.data.user_id === ada.id).map(({ event }) => event.type)
    assert.ok(!ofAda().slice(2).includes('session.created'), 'the sign-in waits for the sign-out')
    back.behave(respond(204))
    app.clock.advance(10 * second)
    await eventually(() => ofAda().at(-1) === 'session.created')
    const accepted = ofAda().slice(2)
    assert.ok(accepted.length >= 3)
    assert.deepEqual([...new Set(accepted)], ['session.ended', 'session.created'])
  })

  test('a receiver that hangs delays no other', async () => {
    const [dead, fast] = [await receiver(), await receiver()]
    dead.behave(() => {})
    await owner.create({ url: dead.url })
    await owner.create({ url: fast.url })
    for (let count = 0; count < 5; count++) await registered(app)
    const waited = await eventually(() => fast.received.length >= 10)
    assert.ok(waited < 9 * second, `${waited} ms`)
    await eventually(() => dead.received.length > 0)
  })

  test('an event that no pattern matches, and one of a disabled webhook, are not sent', async () => {
    const [quiet, off, loud] = [await receiver(), await receiver(), await receiver()]
    await owner.create({ url: quiet.url, events: ['user.deleted', 'module.*'] })
    await owner.create({ url: off.url, enabled: false })
    await owner.create({ url: loud.url })
    await registered(app)
    await eventually(() => loud.received.length >= 2)
    assert.deepEqual([quiet.received.length, off.received.length], [0, 0])
  })

  test('a test event reaches only its webhook', async () => {
    const [one, other] = [await receiver(), await receiver()]
    const { id } = await owner.create({ url: one.url, events: ['user.deleted'] })
    await owner.create({ url: other.url })
    assert.equal((await owner.call('POST', `/${id}/test`)).status, 200)
    await registered(app)
    await eventually(() => one.received.length === 1 && other.received.length >= 2)
    assert.deepEqual(one.received[0]?.event.data, { webhook_id: id })
    assert.ok(!typesOf(other).includes('webhook.test'))
  })

  test('connections are kept, and an event on one that the receiver has just closed is sent again at once', async () => {
    const sockets = new Set<Socket>()
    const events: string[] = []
    let closesNext = false
    const server = createServer((request, reply) => {
      sockets.add(request.socket)
      if (closesNext) {
        closesNext = false
        return void request.socket.resetAndDestroy()
      }
      request.resume().on('end', () => {
        events.push(String(request.headers['webhook-id']))
        reply.writeHead(204).end()
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { id } = await owner.create({ url, events: ['user.created'] })
    for (let count = 1; count <= 3; count++) {
      await registered(app)
      await eventually(() => events.length === count)
    }
    assert.equal(sockets.size, 1)
    closesNext = true
    await registered(app)
    await eventually(() => events.length === 4)
    assert.equal(sockets.size, 2)
    assert.equal((await owner.get(id)).failing_since, null)
    server.closeAllConnections()
    server.close()
  })
})
