import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { openStream, readStream } from '../support/event-stream.ts'
import { eventually } from '../support/eventually.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { registered, withSession } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

const headers = { 'x-bridge-secret': bridgeSecret }
const portOf = (app: TestApp): number => (app.http.server.address() as AddressInfo).port

describe('the stream of revocations', () => {
  let app: TestApp
  let port: number
  before(async () => {
    app = await startTestApp({ env: { BRIDGE_SECRETS: `shop:${'another-secret-of-32-characters-1'}` } })
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    port = portOf(app)
  })
  after(() => app.stop())

  test('begins with the process and its time, and goes on with a heartbeat every 300 ms', async (t) => {
    const stream = await readStream(port)
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
    await fixedWait(1_500, 'the heartbeats of this time are counted')
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
    const stream = await readStream(port)
    t.after(stream.close)
    const ada = await registered(app)
    const grace = await registered(app)
    assert.equal((await app.post('/auth/logout', {}, withSession(ada.sessionToken))).status, 200)
    const repliedAt = performance.now()
    const revoked = await stream.until(({ name, data }) => name === 'revoked' && data.user_id === ada.id)
    assert.ok(revoked.at - repliedAt < 200, `${revoked.at - repliedAt} ms`)
    assert.equal(typeof revoked.data.epoch, 'number')
    await fixedWait(700, 'a second event must not follow')
    const lines = stream.events.filter(({ name }) => name === 'revoked')
    assert.equal(lines.filter(({ data }) => data.user_id === ada.id).length, 1)
    assert.equal(lines.filter(({ data }) => data.user_id === grace.id).length, 0)
  })

  test('replaces a flood of lines by one that outdates everything', async (t) => {
    const stream = await readStream(port)
    t.after(stream.close)
    await stream.until(({ name }) => name === 'start')
    await Promise.all(Array.from({ length: 2_000 }, (_, count) => app.ctx.sessions.invalidate(`user-${count}`, 1)))
    await stream.until(({ name }) => name === 'missed')
    assert.equal(stream.events.filter(({ name }) => name === 'revoked').length, 0)
  })

  test('is only for back ends', async () => {
    const closeAndStatus = async (more: Record<string, string>) => {
      const { reply, close } = await openStream(port, more)
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
    const [reading, silent] = [await readStream(port), await openStream(port)]
    t.after(reading.close)
    t.after(silent.close)
    silent.reply.pause()
    const sockets = () =>
      new Promise<number>((resolve) => app.http.server.getConnections((_error, count) => resolve(count)))
    const before = await sockets()
    // Long ids fill the socket buffers sooner. One round has fewer events than a client is allowed to leave unread.
    const name = 'user'.repeat(90)
    for (let round = 0; round < 200 && (await sockets()) === before; round++) {
      const many = Array.from({ length: 450 }, (_, count) => app.ctx.sessions.invalidate(`${name}${round}-${count}`, 1))
      await Promise.all(many)
      await reading.until(({ data }) => data.user_id === `${name}${round}-449`)
    }
    assert.equal(await sockets(), before - 1)
    const count = reading.events.length
    await eventually(() => reading.events.slice(count).some(({ name }) => name === 'heartbeat'))
  })

  test('has a limit of streams for each secret, which other secrets do not notice', async (t) => {
    const opened = await Promise.all(Array.from({ length: 2_000 }, () => openStream(port)))
    t.after(() => opened.forEach(({ close }) => void close()))
    const refused = await Promise.all(Array.from({ length: 200 }, () => openStream(port)))
    for (const { reply, close } of refused) {
      assert.equal(reply.statusCode, 429)
      assert.equal(reply.headers['retry-after'], '10')
      close()
    }
    const other = await openStream(port, { 'x-bridge-secret': 'another-secret-of-32-characters-1' })
    assert.equal(other.reply.statusCode, 200)
    other.close()
    for (const { close } of opened.splice(0, 1_000)) close()
    await eventually(async () => {
      const { reply, close } = await openStream(port)
      close()
      return reply.statusCode === 200
    })
  })
})

test('a stopping service ends its streams at once and accepts no others', async () => {
  const app = await startTestApp()
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const stream = await readStream(portOf(app))
  const ended = new Promise((resolve) => stream.reply.on('end', resolve))
  const begun = performance.now()
  await Promise.all([app.stop(), ended])
  assert.ok(performance.now() - begun < 3_000, `${performance.now() - begun} ms`)
})
