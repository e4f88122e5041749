import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbedded } from '../../src/db/embedded.ts'
import { notice } from '../../src/http/stop-listening.ts'
import { call, newAddress, newDeployment, type Registered, registerAt, validateAt } from '../nodes/nodes.ts'
import { type Service, startService, written } from '../support/child.ts'
import { halfDone, keepBusy, newJournal } from './journal.ts'

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://auth.example.com',
  BRIDGE_SECRET: randomBytes(32).toString('base64url'),
}

// Hashes that take long enough for a signal to come in the middle.
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
  const answers = people.map(({ bearer }, index) => ask(silent[index]!, bearer))
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

/** Resolves when the service has begun to read the request, with what it will answer. */
async function beginSignIn(service: Service, { email, password }: Registered): Promise<{ answer: Promise<string> }> {
  const body = JSON.stringify({ email, password })
  const socket = await beginPost(service, body.length)
  socket.write(body)
  return { answer: text(socket) }
}

/** The head of a POST, once the service has read it. */
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

async function ask(socket: Socket, bearer: string): Promise<string> {
  socket.write(`GET /auth/validation HTTP/1.1\r\nhost: localhost\r\nx-session-id: ${bearer}\r\n\r\n`)
  return text(socket)
}

test('in production readiness says no first, so that a balancer that looks at it sends nothing into the void', async (t) => {
  const service = await start(t, production)
  const { bearer } = await registerAt(service.url)
  let isReady = true
  let refusal: Awaited<ReturnType<typeof call>> | undefined
  const probe = async () => {
    for (; isReady; await sleep(100)) {
      refusal = await call(`${service.url}/health/ready`)
      isReady = refusal.status === 200
    }
  }
  const outcomes: (number | string)[] = []
  let stopping = Number.POSITIVE_INFINITY
  const client = async () => {
    for (; isReady; await sleep(5)) {
      const sent = performance.now()
      const outcome = await askOnce(`${service.url}/auth/me`, { 'x-session-id': bearer })
      // A busy machine may keep the probe from being heard before the notice is over.
      if (sent < stopping + 0.75 * notice) outcomes.push(outcome)
    }
  }
  const running = [probe, ...Array(8).fill(client)].map((work) => work())
  while (outcomes.length < 20) await sleep(20)
  stopping = performance.now()
  const code = await service.stop()
  await Promise.all(running)
  assert.deepEqual(new Set(outcomes), new Set([200]))
  assert.equal(refusal?.status, 503)
  const checks = { database: 'ok', migrations: 'ok', store: 'ok', queue: 'ok' }
  assert.deepEqual(refusal.json.checks, checks, 'nothing that it stands on has failed')
  assert.equal(code, 0)
})

/** On a connection of its own, as a balancer opens them: the status, or what went wrong with the connection. */
function askOnce(url: string, headers: Record<string, string> = {}): Promise<number | string> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)
    get(url, { agent: false, headers }, (reply) => {
      reply.resume().on('error', failed)
      reply.on('end', () => resolve(reply.statusCode ?? 0))
    }).on('error', failed)
  })
}

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

/** A request that never ends. */
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
  assert.match(service.output(), /still running when the time to stop was over/)
})

test('a second process on its data directory is refused, told the process that has it, and harms nothing', async (t) => {
  const directory = await newDirectory(t)
  const settings = { ...newDeployment(), DATA_DIR: directory }
  const service = await start(t, settings)
  const ada = await registerAt(service.url)
  const refusal = new RegExp(`ended with code 1:\\n.*locked.* Process ${service.pid} has it open`)
  await Promise.all([1, 2].map(() => assert.rejects(startService(settings), refusal)))
  assert.equal((await validateAt(service.url, ada.bearer)).status, 200)
  assert.equal((await call(`${service.url}/health/ready`)).status, 200)
  assert.equal(await service.stop(), 0)
})
