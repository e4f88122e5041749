import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbedded } from '../../src/db/embedded/open.ts'
import { shutdownTimes } from '../../src/http/server/stop-listening.ts'
import { call, newAddress, newDeployment, type Registered, registerAt, validateAt } from '../nodes/nodes.ts'
import { drawn, multipart, multipartType } from '../pictures/support.ts'
import { type Service, startService, written } from '../support/child.ts'
import { halfDone, keepBusy, newJournal } from './journal.ts'

const { noticeMs } = shutdownTimes({ isProduction: true, SHUTDOWN_TIMEOUT: 15_000 })

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://auth.example.com',
  BRIDGE_SECRET: randomBytes(32).toString('base64url'),
}

// Slows down hashing so that a signal arrives during it.
const slowHashes = { ARGON2_MEMORY_KIB: '65536', ARGON2_TIME: '6' }

async function start(t: TestContext, settings: Record<string, string> = {}): Promise<Service> {
  const service = await startService({ ...newDeployment(), ...settings })
  t.after(() => service.kill())
  return service
}

async function newDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'wardenry-stop-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  return directory
}

async function timed<Value>(work: Promise<Value>): Promise<{ value: Value; took: number }> {
  const started = performance.now()
  return { value: await work, took: performance.now() - started }
}

test('asked to stop under load, it leaves no request half-way: what took effect was answered, and it exits with 0', async (t) => {
  const directory = await newDirectory(t)
  const service = await start(t, { DATA_DIR: directory })
  const journal = newJournal()
  const load = keepBusy(service.url, journal, { workers: 8 })
  await load.acknowledged(30)
  const { value: code, took } = await timed(service.stop())
  await load.stop()
  assert.equal(code, 0)
  t.diagnostic(`${journal.emails.length} registrations answered; stopped after ${Math.round(took)} ms`)

  const embedded = await openEmbedded({ dataDir: directory, archive: undefined })
  t.after(() => embedded.close())
  const users = (await embedded.query<{ email: string }>('SELECT email FROM users')).map(({ email }) => email)
  assert.deepEqual(users.sort(), journal.emails.sort())
  for (const [what, question] of Object.entries(halfDone)) assert.deepEqual(await embedded.query(question), [], what)
})

test('sign-ins that are being worked on are finished, and connections that have not spoken yet are heard', async (t) => {
  const service = await start(t, slowHashes)
  const people = await Promise.all(Array.from({ length: 6 }, () => registerAt(service.url)))
  const silent = await Promise.all(people.map(() => openConnection(service)))
  const signIns = await Promise.all(people.map((user) => beginSignIn(service, user)))
  const stopped = service.stop()
  await sleep(10)
  const answers = people.map(({ sessionToken }, index) => ask(silent[index]!, sessionToken))
  for (const answer of await Promise.all(signIns.map((signIn) => signIn.answer)))
    assert.match(answer, /^HTTP\/1\.1 200 /)
  for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1\.1 200 .*"requires_2fa":false/s)
  assert.equal(await stopped, 0)
  assert.match(service.output(), /"msg":"stopping".*"msg":"stopped"/s)
})

async function openConnection({ url }: Service): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Resolves when the service has begun to read the request. `answer` resolves with the response status. */
async function beginSignIn(service: Service, { email, password }: Registered): Promise<{ answer: Promise<string> }> {
  const body = JSON.stringify({ email, password })
  const socket = await beginPost(service, body.length)
  socket.write(body)
  return { answer: text(socket) }
}

/** Sends the head of a POST, and resolves once the service has read it. */
async function beginPost(service: Service, length: number): Promise<Socket> {
  const socket = await openConnection(service)
  const fields = {
    host: 'localhost',
    connection: 'close',
    'x-forwarded-for': newAddress(),
    'content-type': 'application/json',
    'content-length': length,
    expect: '100-continue',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST /auth/login HTTP/1.1\r\n${lines.join('')}\r\n`)
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 100 /)
  return socket
}

async function ask(socket: Socket, sessionToken: string): Promise<string> {
  socket.write(`GET /auth/validation HTTP/1.1\r\nhost: localhost\r\nx-session-id: ${sessionToken}\r\n\r\n`)
  return text(socket)
}

test('in production readiness says no first, so that a balancer that looks at it sends nothing into the void', async (t) => {
  const service = await start(t, production)
  const { sessionToken } = await registerAt(service.url)
  let isReady = true
  let rejection: Awaited<ReturnType<typeof call>> | undefined
  const probe = async () => {
    for (; isReady; await sleep(100)) {
      rejection = await call(`${service.url}/health/ready`)
      isReady = rejection.status === 200
    }
  }
  const outcomes: (number | string)[] = []
  let stopping = Number.POSITIVE_INFINITY
  const client = async () => {
    for (; isReady; await sleep(5)) {
      const sent = performance.now()
      const outcome = await askOnce(`${service.url}/auth/me`, { 'x-session-id': sessionToken })
      // Later probes are ignored because a busy machine may handle them after the notice period.
      if (sent < stopping + 0.75 * noticeMs) outcomes.push(outcome)
    }
  }
  const running = [probe, ...Array(8).fill(client)].map((work) => work())
  while (outcomes.length < 20) await sleep(20)
  stopping = performance.now()
  const code = await service.stop()
  await Promise.all(running)
  assert.deepEqual(new Set(outcomes), new Set([200]))
  assert.equal(rejection?.status, 503)
  const checks = { database: 'ok', migrations: 'ok', store: 'ok', queue: 'ok' }
  assert.deepEqual(rejection.json.checks, checks, 'nothing that it stands on has failed')
  assert.equal(code, 0)
})

/** Sends one request on a new connection, as a load balancer does. Returns the status or the connection error. */
function askOnce(url: string, headers: Record<string, string> = {}): Promise<number | string> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)
    get(url, { agent: false, headers }, (reply) => {
      reply.resume().on('error', failed)
      reply.on('end', () => resolve(reply.statusCode ?? 0))
    }).on('error', failed)
  })
}

/** A keep-alive connection for several requests, as in a pool. */
async function keptConnection(service: Service): Promise<(request: string) => Promise<string>> {
  const socket = await openConnection(service)
  const ask = async (request: string) => {
    socket.write(request)
    return String((await Promise.race([once(socket, 'data'), once(socket, 'close')]))[0])
  }
  assert.match(await ask('GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n'), /\r\nconnection: keep-alive\r\n/i)
  return ask
}

async function portIsClosed({ url }: Service): Promise<void> {
  for (
    const end = performance.now() + 10_000;
    (await askOnce(`${url}/health/live`)) !== 'ECONNREFUSED';
    await sleep(20)
  )
    assert.ok(performance.now() < end, 'the port is still open')
}

test('from the signal on every reply closes its connection, and connections that were kept are still heard', async (t) => {
  const service = await start(t, production)
  const { sessionToken } = await registerAt(service.url)
  const body = JSON.stringify({ session_id: sessionToken })
  const fields = `host: localhost\r\nx-bridge-secret: ${production.BRIDGE_SECRET}\r\ncontent-type: application/json\r\n`
  const requests: [what: string, request: string, status: number][] = [
    ['a read', `GET /auth/me HTTP/1.1\r\nhost: localhost\r\nx-session-id: ${sessionToken}\r\n\r\n`, 200],
    [
      'a prepared reply',
      `POST /auth/bridge/validate HTTP/1.1\r\n${fields}content-length: ${body.length}\r\n\r\n${body}`,
      200,
    ],
    ['a page', 'GET /login HTTP/1.1\r\nhost: localhost\r\naccept: text/html\r\n\r\n', 200],
    ['an error', 'GET /nowhere HTTP/1.1\r\nhost: localhost\r\n\r\n', 404],
    ['readiness', 'GET /health/ready HTTP/1.1\r\nhost: localhost\r\n\r\n', 503],
    ['HTTP/1.0', 'GET /health/live HTTP/1.0\r\nconnection: keep-alive\r\n\r\n', 200],
  ]
  const [during, after] = await Promise.all([1, 2].map(() => Promise.all(requests.map(() => keptConnection(service)))))
  const askAll = async (connections: typeof during) => {
    for (const [index, [what, request, status]] of requests.entries()) {
      const reply = await connections![index]!(request)
      assert.match(reply, new RegExp(`^HTTP/1.1 ${status} `), what)
      assert.match(reply, /\r\nconnection: close\r\n/i, what)
    }
  }
  const stopped = service.stop()
  await written(service, /"msg":"stopping"/)
  await askAll(during)
  await portIsClosed(service)
  await askAll(after)
  assert.equal(await stopped, 0)
})

test('an upload that is refused while the service stops gets its reply', async (t) => {
  const service = await start(t, production)
  const size = 8 * 1024 * 1024
  const head = `POST /auth/upload/picture HTTP/1.1\r\nhost: localhost\r\nx-session-id: none\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: ${size}\r\n\r\n`
  const sockets = await Promise.all([1, 2, 3, 4].map(() => openConnection(service)))
  const stopped = service.stop()
  await written(service, /"msg":"stopping"/)
  for (const socket of sockets) socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(size)]))
  for (const reply of await Promise.all(sockets.map((socket) => text(socket))))
    assert.match(reply, /^HTTP\/1\.1 401 .*\r\nconnection: close\r\n/is)
  assert.equal(await stopped, 0)
})

/** The ids of the child processes of process `pid`. Requires Linux. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** Whether a process has loaded the picture decoders. */
const hasDecoders = (pid: number): boolean => /libvips/.test(readFileSync(`/proc/${pid}/maps`, 'utf8'))

test('a picture that is being decoded is finished, even if the signal reaches every process of the service', {
  skip: process.platform !== 'linux' && 'skipped: needs /proc',
}, async (t) => {
  const service = await start(t)
  const { sessionToken } = await registerAt(service.url)
  const body = multipart([{ name: 'picture', bytes: await drawn(600, 600).jpeg().toBuffer() }])
  const headers = { 'x-session-id': sessionToken, ...multipartType }
  const uploaded = fetch(`${service.url}/auth/upload/picture`, { method: 'POST', headers, body: new Uint8Array(body) })
  const isOver = uploaded.then(() => true)
  let decoder: number | undefined
  while (decoder === undefined && !(await Promise.race([isOver, sleep(5, false)])))
    decoder = childrenOf(service.pid).find(hasDecoders)
  assert.ok(decoder, 'decoded before it was seen')
  process.kill(decoder, 'SIGTERM')
  const stopped = service.stop()
  const reply = await uploaded
  assert.equal(reply.status, 200, await reply.text())
  assert.equal(await stopped, 0)
})

test('connections on which nothing happens do not hold it up', async (t) => {
  const service = await start(t)
  const sockets = await Promise.all([1, 2, 3, 4, 5].map(() => openConnection(service)))
  for (const socket of sockets.slice(1)) socket.write('GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await Promise.all(sockets.slice(1).map((socket) => once(socket, 'data')))
  const { value: code, took } = await timed(service.stop())
  for (const socket of sockets) socket.destroy()
  assert.equal(code, 0)
  assert.ok(took < 5_000, `${took}`)
})

/** A request whose body never ends. */
async function beginRequest(service: Service): Promise<() => void> {
  const socket = await beginPost(service, 99)
  return () => socket.destroy()
}

test('a second signal ends it within a second, whatever is still running', async (t) => {
  const service = await start(t)
  t.after(await beginRequest(service))
  process.kill(service.pid, 'SIGTERM')
  await written(service, /"msg":"stopping"/)
  process.kill(service.pid, 0)
  const { value: code, took } = await timed(service.stop())
  assert.notEqual(code, 0)
  assert.ok(took < 8_000, `${took}`)
})

test('after SHUTDOWN_TIMEOUT it waits no longer', async (t) => {
  const service = await start(t, { SHUTDOWN_TIMEOUT: '1s' })
  t.after(await beginRequest(service))
  const { value: code, took } = await timed(service.stop())
  assert.notEqual(code, 0)
  assert.ok(took > 900 && took < 8_000, `${took}`)
  assert.match(service.output(), /still running when SHUTDOWN_TIMEOUT ended/)
})

test('a second process on its data directory is refused, told the process that has it, and harms nothing', async (t) => {
  const directory = await newDirectory(t)
  const settings = { ...newDeployment(), DATA_DIR: directory }
  const service = await start(t, settings)
  const ada = await registerAt(service.url)
  const rejection = new RegExp(`ended with code 1:\\n.*locked.* Process ${service.pid} has it open`)
  await Promise.all([1, 2].map(() => assert.rejects(startService(settings), rejection)))
  assert.equal((await validateAt(service.url, ada.sessionToken)).status, 200)
  assert.equal((await call(`${service.url}/health/ready`)).status, 200)
  assert.equal(await service.stop(), 0)
})
