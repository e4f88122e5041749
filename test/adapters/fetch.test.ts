import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { after, before, describe, type TestContext, test } from 'node:test'
import { createGuardedFetch, keptConnections } from '../../src/adapters/fetch/node.ts'
import { FetchFailed, type GuardedFetch } from '../../src/adapters/fetch/port.ts'
import { isPublicAddress } from '../../src/lib/address.ts'
import { selfSigned } from '../support/certificate.ts'
import { freePort } from '../support/free-port.ts'

const answers: Record<string, RequestListener> = {
  '/fine': (_request, reply) => reply.setHeader('content-type', 'text/plain').end('fine'),
  '/echo': async (request, reply) => {
    const chunks = await Array.fromAsync(request)
    reply.end(JSON.stringify({ method: request.method, type: request.headers['content-type'], body: chunks.join('') }))
  },
  '/hangs': () => {},
  '/drips': (_request, reply) => {
    const timer = setInterval(() => reply.write('x'), 20)
    reply.on('close', () => clearInterval(timer))
  },
  '/huge': (_request, reply) => {
    const chunk = 'x'.repeat(64 * 1024)
    const more = () => {
      while (!reply.destroyed && reply.write(chunk)) sent += chunk.length
    }
    reply.on('drain', more)
    more()
  },
  '/redirects': (_request, reply) =>
    reply.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  '/empty': (_request, reply) => reply.writeHead(204).end(),
  '/reset': (_request, reply) => reply.writeHead(205, { 'content-length': 2 }).end('ok'),
  '/breaks': (_request, reply) => {
    reply.writeHead(200, { 'content-length': 100 }).write('x')
    setTimeout(() => reply.destroy(), 10)
  },
}

let sent = 0
let origin: string
const server = createServer((request, reply) => answers[request.url ?? '']?.(request, reply))
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => {
  server.closeAllConnections()
  server.close()
})

const ask = (path: string, fetch: GuardedFetch = createGuardedFetch(), request = {}) =>
  fetch(`${origin}${path}`, request, { hosts: [new URL(origin).host], configured: [origin] })

const failed = (sentence: RegExp) => (error: unknown) => error instanceof FetchFailed && sentence.test(error.message)

describe('limits for foreign servers', () => {
  test('sends a request and receives the response', async () => {
    const reply = await ask('/fine')
    assert.deepEqual([reply.status, reply.headers.get('content-type'), await reply.text()], [200, 'text/plain', 'fine'])
    const echo = await ask('/echo', undefined, { method: 'POST', body: 'a=b', headers: { 'content-type': 'x/y' } })
    assert.deepEqual(await echo.json(), { method: 'POST', type: 'x/y', body: 'a=b' })
    assert.equal((await ask('/empty')).status, 204)
    const reset = await ask('/reset')
    assert.deepEqual([reset.status, await reset.text()], [205, ''])
  })

  /** A server that answers with this text. */
  const raw = async (t: TestContext, text: string | undefined) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => (text === undefined ? socket.destroy() : socket.end(text)))
    }).listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    return { url, policy: { hosts: [url.host], configured: [url.origin] } }
  }

  for (const [what, text, status, body] of [
    ['a body with the status 204', 'HTTP/1.1 204 No Content\r\n\r\nok', 204, ''],
    ['bytes behind its length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more', 200, 'ok'],
    ['a newline behind its length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok\n', 200, 'ok'],
  ] as const)
    for (const kept of [undefined, keptConnections()])
      test(`a server that sends ${what} has responded${kept ? ', on a kept connection, too' : ''}`, async (t) => {
        t.after(() => kept?.close())
        const { url, policy } = await raw(t, text)
        const reply = await createGuardedFetch({}, kept)(url.href, {}, policy)
        assert.deepEqual([reply.status, await reply.text()], [status, body])
      })

  for (const [what, text, sentence] of [
    ['no HTTP', 'hello\r\n\r\n', /sent an invalid response/],
    ['an impossible status', 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n', /sent an invalid response/],
    ['an impossible header', 'HTTP/1.1 200 OK\r\nX Y: 1\r\n\r\n', /sent an invalid response/],
    ['nothing', undefined, /closed the connection before it had answered/],
    ['half of a response', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok', /closed the connection before/],
  ] as const)
    test(`a server that sends ${what} is named as such`, async (t) => {
      const { url, policy } = await raw(t, text)
      await assert.rejects(createGuardedFetch()(url.href, {}, policy), failed(sentence))
    })

  test('a closed port, an unknown name and a certificate are told apart', async (t) => {
    const ask = (origin: string) =>
      createGuardedFetch()(origin, {}, { hosts: [new URL(origin).host], configured: [origin] })
    await assert.rejects(ask(`http://127.0.0.1:${await freePort()}`), failed(/refused the connection/))
    await assert.rejects(ask('http://nobody.invalid'), failed(/host name of nobody\.invalid cannot be resolved/))
    const { key, certificate: cert } = selfSigned()
    const secure = createSecureServer({ key, cert }, (_request, reply) => reply.end()).listen(0, '127.0.0.1')
    t.after(() => secure.close())
    await once(secure, 'listening')
    const { port } = secure.address() as AddressInfo
    await assert.rejects(
      ask(`https://127.0.0.1:${port}`),
      failed(/certificate of 127\.0\.0\.1:\d+ is not valid: [A-Z_]+$/),
    )
    await assert.rejects(ask(`https://127.0.0.1:${new URL(origin).port}`), failed(/TLS handshake with .* failed/))
  })

  test('a server that switches protocols has not responded', async (t) => {
    const closed: Promise<unknown>[] = []
    const switching = createTcpServer((socket) => {
      closed.push(once(socket, 'close'))
      socket.on('error', () => {})
      socket.once('data', () => socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'))
    }).listen(0, '127.0.0.1')
    t.after(() => switching.close())
    await once(switching, 'listening')
    const url = new URL(`http://127.0.0.1:${(switching.address() as AddressInfo).port}`)
    const policy = { hosts: [url.host], configured: [url.origin] }
    await assert.rejects(createGuardedFetch()(url.href, {}, policy), failed(/switched protocols/))
    await closed[0]
  })

  for (const path of ['/hangs', '/drips']) {
    test(`an answer that ${path.slice(1)} is abandoned after the timeout`, async () => {
      const started = performance.now()
      await assert.rejects(ask(path, createGuardedFetch({ totalMs: 200 })), failed(/did not respond in time/))
      assert.ok(performance.now() - started < 2_000)
    })
  }

  test('reads no more of an endless response than allowed', async () => {
    await assert.rejects(ask('/huge'), failed(/more than 1048576 bytes/))
    assert.ok(sent < 16 * 1024 * 1024, `${sent} bytes were taken from the server`)
  })

  test('returns redirects without following them', async () => {
    const reply = await ask('/redirects')
    assert.equal(reply.status, 302)
  })

  test('refuses a response that breaks off', async () => {
    await assert.rejects(ask('/breaks'), failed(/closed the connection before/))
  })

  test('a silent server cannot accumulate requests', async () => {
    const fetch = createGuardedFetch({ totalMs: 500, atOnce: 2 })
    const waiting = [ask('/hangs', fetch), ask('/hangs', fetch)]
    await assert.rejects(ask('/fine', fetch), failed(/too many requests to/))
    for (const one of waiting) await assert.rejects(one, FetchFailed)
    assert.equal((await ask('/fine', fetch)).status, 200)
  })

  test('a connection attempt is abandoned after the timeout', async (t) => {
    const silent = createTcpServer((socket) => t.after(() => socket.destroy()))
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const fetch = createGuardedFetch({ connectMs: 200 })
    const started = performance.now()
    const policy = { hosts: [new URL(url).host], configured: [url] }
    await assert.rejects(fetch(url, {}, policy), FetchFailed)
    assert.ok(performance.now() - started < 2_000)
    silent.close()
  })
})

describe('refused addresses', () => {
  const fetch = createGuardedFetch({ totalMs: 2_000 })
  const refused: [what: string, url: string, sentence: RegExp][] = [
    ['a host that is not named', 'https://other.example/', /not an allowed host/],
    ['another port of a host', 'https://id.example:8443/', /not an allowed host/],
    ['plain http', 'http://id.example/', /must be requested with https/],
    ['a user in the address', 'https://a@id.example/', /not an allowed host/],
    ['a private address', 'https://10.0.0.1/', /not a public address/],
    ['this machine in IPv6', 'https://[::1]/', /not a public address/],
    ['an IPv4 address inside IPv6', 'https://[::ffff:169.254.169.254]/', /not a public address/],
    ['an address written as a number', 'https://2130706433/', /not a public address/],
    ['a name that stands for this machine', 'https://localhost/', /localhost has no public address/],
  ]
  for (const [what, url, sentence] of refused) {
    test(`${what}: ${url}`, async () => {
      const hosts = ['id.example', '10.0.0.1', '[::1]', '[::ffff:a9fe:a9fe]', '127.0.0.1', 'localhost']
      await assert.rejects(fetch(url, {}, { hosts, configured: [] }), failed(sentence))
    })
  }

  test('loopback requires a setting', async () => {
    await assert.rejects(
      fetch(`${origin}/fine`, {}, { hosts: [new URL(origin).host], configured: [] }),
      failed(/must be requested with https/),
    )
  })
})

test('only addresses on the public internet count as public', () => {
  const inside = `0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.168.0.1 198.18.0.1
    224.0.0.1 255.255.255.255 :: ::1 ::ffff:10.0.0.1 64:ff9b::a00:1 fe80::1 fc00::1 fd12::1 ff02::1 2001:db8::1 2002:a00:1::
    2001:0:a00::1 nonsense`.split(/\s+/)
  for (const address of inside) assert.equal(isPublicAddress(address), false, address)
  const outside =
    '1.1.1.1 8.8.8.8 172.15.0.1 172.32.0.1 192.167.1.1 2606:4700:4700::1111 2a00:1450:4001:80b::200e'.split(' ')
  for (const address of outside) assert.equal(isPublicAddress(address), true, address)
})
