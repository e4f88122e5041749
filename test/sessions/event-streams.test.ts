import assert from 'node:assert/strict'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { registered, withSession } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

const headers = { 'x-bridge-secret': bridgeSecret }

interface Event {
  name: string
  // biome-ignore lint/suspicious/noExplicitAny: an event is whatever the service sent; tests look at its members.
  data: any
  at: number
}

interface Stream {
  reply: IncomingMessage
  events: Event[]
  until(isWanted: (event: Event) => boolean): Promise<Event>
  close(): void
}

async function openStream(app: TestApp, more: Record<string, string> = {}): Promise<Stream> {
  const { port } = app.http.server.address() as AddressInfo
  const asked = request({ port, path: '/auth/bridge/events', headers: { ...headers, ...more }, agent: false }).end()
  const reply = await new Promise<IncomingMessage>((resolve, reject) =>
    asked.on('response', resolve).on('error', reject),
  )
  const events: Event[] = []
  let rest = ''
  reply.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
      events.push({ name, data: JSON.parse(data), at: performance.now() })
    }
  })
  reply.on('error', () => {})
  return {
    reply,
    events,
    async until(isWanted) {
      for (const end = performance.now() + 10_000; performance.now() < end; await sleep(5)) {
        const found = events.find(isWanted)
        if (found) return found
      }
      throw new Error(`only ${JSON.stringify(events)}`)
    },
    close: () => asked.destroy(),
  }
}

describe('the stream of revocations', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp({ env: { BRIDGE_SECRETS: `shop:${'another-secret-of-32-characters-1'}` } })
    await app.http.listen({ port: 0, host: '127.0.0.1' })
  })
  after(() => app.stop())

  test('begins with the process and its time, and goes on with a heartbeat every 300 ms', async (t) => {
    const stream = await openStream(app)
    t.after(stream.close)
    assert.equal(stream.reply.statusCode, 200)
    assert.match(String(stream.reply.headers['content-type']), /^text\/event-stream/)
    assert.equal(stream.reply.headers['cache-control'], 'no-store')
    assert.equal(stream.reply.headers['x-accel-buffering'], 'no')
    assert.equal(stream.reply.headers['content-encoding'], undefined)
    const start = await stream.until(({ name }) => name === 'start')
    assert.equal(stream.events[0], start)
    assert.equal(start.data.process, app.ctx.node)
    assert.equal(start.data.max_age, 5_000)
    await sleep(1_500)
    const beats = stream.events.filter(({ name }) => name === 'heartbeat')
    assert.ok(beats.length >= 4 && beats.length <= 7, `${beats.length} heartbeats`)
    for (const { data } of beats) {
      assert.equal(data.process, app.ctx.node)
      assert.ok(data.age >= 0 && data.age <= 900)
    }
    const times = beats.map(({ data }) => data.time)
    assert.deepEqual(
      times,
      times.toSorted((one, other) => one - other),
    )
  })

  test('tells once of each user whose cached sessions are outdated, within milliseconds', async (t) => {
    const stream = await openStream(app)
    t.after(stream.close)
    const ada = await registered(app)
    const grace = await registered(app)
    assert.equal((await app.post('/auth/logout', {}, withSession(ada.bearer))).status, 200)
    const repliedAt = performance.now()
    const revoked = await stream.until(({ name, data }) => name === 'revoked' && data.user_id === ada.id)
    assert.ok(revoked.at - repliedAt < 200, `${revoked.at - repliedAt} ms`)
    assert.equal(typeof revoked.data.epoch, 'number')
    await sleep(700)
    const lines = stream.events.filter(({ name }) => name === 'revoked')
    assert.equal(lines.filter(({ data }) => data.user_id === ada.id).length, 1)
    assert.equal(lines.filter(({ data }) => data.user_id === grace.id).length, 0)
  })

  test('replaces a flood of lines by one that outdates everything', async (t) => {
    const stream = await openStream(app)
    t.after(stream.close)
    await stream.until(({ name }) => name === 'start')
    await Promise.all(Array.from({ length: 2_000 }, (_, count) => app.ctx.sessions.invalidate(`user-${count}`, 1)))
    await stream.until(({ name }) => name === 'missed')
    assert.equal(stream.events.filter(({ name }) => name === 'revoked').length, 0)
  })

  test('is for back ends alone', async () => {
    const closeAndStatus = async (more: Record<string, string>) => {
      const { reply, close } = await openStream(app, more)
      close()
      return reply.statusCode
    }
    assert.equal(await closeAndStatus({ 'x-bridge-secret': 'wrong' }), 401)
    assert.equal(await closeAndStatus({ origin: 'https://evil.example' }), 401)
    assert.equal(await closeAndStatus({}), 200)
  })

  test('answers HEAD with the headers and no stream', async () => {
    const { status, headers: given, text } = await app.call('HEAD', '/auth/bridge/events', { headers })
    assert.equal(status, 200)
    assert.match(String(given['content-type']), /^text\/event-stream/)
    assert.equal(text, '')
  })

  test('disconnects a client that does not read, and keeps the others', async (t) => {
    const reading = await openStream(app)
    const silent = await openStream(app)
    t.after(reading.close)
    t.after(silent.close)
    silent.reply.pause()
    const sockets = () =>
      new Promise<number>((resolve) => app.http.server.getConnections((_error, count) => resolve(count)))
    const before = await sockets()
    for (let round = 0; round < 400 && (await sockets()) === before; round++) {
      const many = Array.from({ length: 450 }, (_, count) => app.ctx.sessions.invalidate(`user-${round}-${count}`, 1))
      await Promise.all(many)
      await sleep(5)
    }
    assert.equal(await sockets(), before - 1)
    const count = reading.events.length
    await sleep(700)
    assert.ok(reading.events.slice(count).some(({ name }) => name === 'heartbeat'))
  })

  test('has a limit of streams for each secret, which other secrets do not notice', async (t) => {
    const opened = await Promise.all(Array.from({ length: 2_000 }, () => openStream(app)))
    t.after(() => opened.forEach(({ close }) => void close()))
    const refused = await Promise.all(Array.from({ length: 200 }, () => openStream(app)))
    for (const { reply, close } of refused) {
      assert.equal(reply.statusCode, 429)
      assert.equal(reply.headers['retry-after'], '10')
      close()
    }
    const other = await openStream(app, { 'x-bridge-secret': 'another-secret-of-32-characters-1' })
    assert.equal(other.reply.statusCode, 200)
    other.close()
    for (const { close } of opened.splice(0, 1_000)) close()
    await sleep(300)
    const again = await openStream(app)
    assert.equal(again.reply.statusCode, 200)
    again.close()
  })
})

test('a stopping service ends its streams at once and accepts no others', async () => {
  const app = await startTestApp()
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const stream = await openStream(app)
  const ended = new Promise((resolve) => stream.reply.on('end', resolve))
  const begun = performance.now()
  await Promise.all([app.stop(), ended])
  assert.ok(performance.now() - begun < 3_000, `${performance.now() - begun} ms`)
})
