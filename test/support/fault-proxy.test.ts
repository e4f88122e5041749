import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'

describe('a fault proxy', () => {
  let echo: Server
  let proxy: FaultProxy
  before(async () => {
    echo = createServer({ allowHalfOpen: true }, (socket) => void socket.pipe(socket).on('error', () => {}))
    await once(echo.listen(0, '127.0.0.1'), 'listening')
    proxy = await startFaultProxy((echo.address() as AddressInfo).port)
  })
  after(async () => {
    await proxy.stop()
    echo.close()
  })
  afterEach(() => proxy.heal())

  test('passes bytes and the end of a stream in both directions', async () => {
    const socket = connect(proxy.port, '127.0.0.1')
    socket.end('hello')
    assert.equal(await everything(socket), 'hello')
  })

  test('stands in for a server in an address', () => {
    assert.equal(proxy.through('redis://ada@db.example:6379/1'), `redis://ada@127.0.0.1:${proxy.port}/1`)
  })

  test('delays each direction without stretching what is sent in a row', async () => {
    proxy.latency(200)
    const socket = connect(proxy.port, '127.0.0.1')
    for (const letter of 'abcdefghijklmnopqrst') {
      socket.write(letter)
      await sleep(2)
    }
    const sent = performance.now()
    socket.end()
    assert.equal(await everything(socket), 'abcdefghijklmnopqrst')
    const took = performance.now() - sent
    assert.ok(took >= 390 && took < 3_000, `took ${took} ms after the last byte`)
  })

  test('delivers in small pieces', async () => {
    proxy.slice(2)
    const socket = connect(proxy.port, '127.0.0.1')
    socket.end('abcdefgh')
    const pieces: string[] = []
    for await (const piece of socket) pieces.push(String(piece))
    assert.equal(pieces.join(''), 'abcdefgh')
    assert.ok(pieces.length > 1, `arrived in ${pieces.length} piece`)
  })

  test('resets connections old and new while cut, and works again when healed', async () => {
    const old = await connected(proxy)
    const reset = once(old, 'error')
    proxy.cut()
    assert.equal((await reset)[0].code, 'ECONNRESET')
    await assert.rejects(everything(connect(proxy.port, '127.0.0.1')), { code: 'ECONNRESET' })

    proxy.heal()
    const socket = connect(proxy.port, '127.0.0.1')
    socket.end('back')
    assert.equal(await everything(socket), 'back')
  })

  test('lets the process end after it has cut a connection that was just being closed', async () => {
    const socket = await connected(proxy)
    proxy.blackhole()
    socket.end()
    await sleep(20)
    proxy.heal()
    for (let turn = 0; turn < 20; turn++) await null
    proxy.cut()
    await assert.rejects(everything(socket), { code: 'ECONNRESET' })
  })

  test('keeps connections open and silent in a black hole, and delivers when healed', async () => {
    const socket = await connected(proxy)
    proxy.blackhole()
    proxy.blackhole()
    socket.end('late')
    const answer = everything(socket)
    assert.equal(await Promise.race([answer, sleep(60, 'silence')]), 'silence')
    proxy.heal()
    assert.equal(await answer, 'late')
  })

  test('resets its clients when the server cannot be reached', async () => {
    const nobody = createServer()
    await once(nobody.listen(0, '127.0.0.1'), 'listening')
    const { port } = nobody.address() as AddressInfo
    await new Promise((resolve) => nobody.close(resolve))

    const lonely = await startFaultProxy(port)
    await assert.rejects(everything(connect(lonely.port, '127.0.0.1')), { code: 'ECONNRESET' })
    await lonely.stop()
  })
})

async function connected(proxy: FaultProxy): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1')
  socket.write('x')
  await once(socket, 'data')
  return socket
}

async function everything(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}
