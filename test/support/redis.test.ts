import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type RedisServer, skipWithoutRedis, startRedis } from './redis.ts'

describe('a throw-away Redis', { skip: skipWithoutRedis() }, () => {
  let server: RedisServer
  before(async () => {
    server = await startRedis()
  })
  after(() => server.stop())

  test('is empty after a restart under the same address', async () => {
    assert.equal(await ask(server.url, 'SET name ada'), '+OK')
    assert.equal(await ask(server.url, 'GET name'), '$3')
    await server.restart()
    assert.equal(await ask(server.url, 'GET name'), '$-1')
  })

  test('says nothing while paused and answers after that', async () => {
    server.pause()
    const answer = ask(server.url, 'PING')
    assert.equal(await Promise.race([answer, silence(100)]), 'silence')
    server.resume()
    assert.equal(await answer, '+PONG')
  })

  test('is gone when killed', async () => {
    await server.kill()
    await assert.rejects(ask(server.url, 'PING'), { code: 'ECONNREFUSED' })
    await server.restart()
    assert.equal(await ask(server.url, 'PING'), '+PONG')
  })
})

/** The first line of the response. */
async function ask(url: string, command: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`${command}\r\n`)
  const [bytes] = await once(socket, 'data')
  socket.destroy()
  return String(bytes).split('\r\n')[0]!
}

const silence = (milliseconds: number) => new Promise<string>((resolve) => setTimeout(resolve, milliseconds, 'silence'))
