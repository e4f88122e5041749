import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { launchService, type Service, startService, written } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import {
  bridgeSecret,
  call,
  migratedDatabase,
  needsPostgres,
  newDeployment,
  registerAt,
  type TestDatabase,
  validateAt,
} from './nodes.ts'
import { startSteadyLoad } from './steady-load.ts'

const patience = 30_000

const settings = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://id.example.com',
  WORKERS: '2',
  LOG_LEVEL: 'info',
  SESSION_MAX_PER_USER: '1000',
  ...Object.fromEntries(['LOGIN', 'WRITE', 'READ', 'BRIDGE'].map((name) => [`RATE_LIMIT_${name}`, '100000/1m'])),
}

const workersOf = ({ pid }: Service): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

const occurrences = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length

describe('several workers on one port', needsPostgres, () => {
  let database: TestDatabase
  let service: Service
  before(async () => {
    database = await migratedDatabase()
    service = await startService({ ...newDeployment(), ...settings, DATABASE_URL: database.url })
    await eventually(() => occurrences(service.output(), /worker started/g) === 2, patience)
  })
  after(async () => {
    assert.equal(await service.stop(), 0)
    await database.drop()
  })

  test('there is one link for the first superadmin', async () => {
    await written(service, /First superadmin/)
    assert.equal(occurrences(service.output(), /First superadmin/g), 1)
  })

  test('a session that one worker has ended is refused by the other', async () => {
    const ada = await registerAt(service.url)
    const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    for (const agent of agents) assert.equal(await validateOver(agent, service.url, ada.sessionToken), 200)
    const headers = { 'x-session-id': ada.sessionToken }
    assert.equal((await call(`${service.url}/auth/logout`, { method: 'POST', headers })).status, 200)
    for (const agent of agents) {
      await eventually(async () => (await validateOver(agent, service.url, ada.sessionToken)) === 401, 1_000)
      agent.destroy()
    }
  })

  test('the metrics are those of all workers', async () => {
    const ada = await registerAt(service.url)
    const before = await validationsCounted(service.url)
    // New connections are assigned to the workers in turn.
    const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    for (const agent of agents) {
      assert.equal(await validateOver(agent, service.url, ada.sessionToken), 200)
      agent.destroy()
    }
    // A request is counted only after its response has been sent.
    await eventually(async () => (await validationsCounted(service.url)) - before >= 4)
    assert.equal((await validationsCounted(service.url)) - before, 4)
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    assert.match(metrics, /^wardenry_database_writable 1$/m)
    assert.match(metrics, /^wardenry_dependency_up\{name="database"\} 1$/m)
    const connections = [...metrics.matchAll(/^wardenry_database_connections\{state="\w+"\} (\d+)$/gm)]
    assert.ok(connections.reduce((sum, [, count]) => sum + Number(count), 0) >= 2, 'each worker has a connection')
  })

  test('a worker that was killed is replaced, and the other goes on', async () => {
    const workers = workersOf(service)
    assert.equal(workers.length, 2)
    const counted = await validationsCounted(service.url)
    assert.ok(counted > 0)
    process.kill(workers[0]!, 'SIGKILL')
    await eventually(() => !workersOf(service).includes(workers[0]!))
    await written(service, /"exit_code":null,"signal":"SIGKILL"/)
    const ada = await registerAt(service.url)
    assert.equal((await validateAt(service.url, ada.sessionToken)).status, 200)
    await eventually(() => workersOf(service).length === 2, patience)
    await eventually(() => occurrences(service.output(), /worker started/g) === 3, patience)
    assert.equal(occurrences(service.output(), /First superadmin/g), 1)
    assert.ok((await validationsCounted(service.url)) > counted, 'what the killed worker counted is kept')
  })

  test('SIGHUP replaces all workers without a failed request', async (t) => {
    const old = workersOf(service)
    const load = await startSteadyLoad(service.url, [service.url])
    t.after(load.stop)
    process.kill(service.pid, 'SIGHUP')
    await written(service, /all workers are replaced/, 4 * patience)
    await load.stop()
    t.diagnostic(JSON.stringify(load.answered))
    assert.deepEqual(load.failures, {})
    assert.equal(Object.keys(load.answered).length, 6)
    assert.equal(workersOf(service).length, 2)
    for (const pid of workersOf(service)) assert.ok(!old.includes(pid))
  })
})

test('a signal that reaches every process stops the workers cleanly', needsPostgres, async (t) => {
  const database = await migratedDatabase()
  t.after(() => database.drop())
  const service = await startService({ ...newDeployment(), ...settings, DATABASE_URL: database.url })
  await eventually(() => occurrences(service.output(), /worker started/g) === 2, patience)
  const workers = workersOf(service)
  for (const pid of [...workers, service.pid]) process.kill(pid, 'SIGINT')
  for (const pid of workers) process.kill(pid, 'SIGTERM')
  await eventually(() => !isRunning(service.pid), patience)
  assert.equal(await service.stop(), 0)
})

test('workers whose main process was killed finish their requests and end', needsPostgres, async (t) => {
  const database = await migratedDatabase()
  t.after(() => database.drop())
  const service = await startService({ ...newDeployment(), ...settings, DATABASE_URL: database.url })
  await eventually(() => occurrences(service.output(), /worker started/g) === 2, patience)
  const workers = workersOf(service)
  const ada = await registerAt(service.url)
  const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  for (const agent of agents) assert.equal(await validateOver(agent, service.url, ada.sessionToken), 200)
  process.kill(service.pid, 'SIGKILL')
  await eventually(() => !isRunning(service.pid))
  // The workers continue to serve existing connections. New connections are refused.
  for (const agent of agents) assert.equal(await validateOver(agent, service.url, ada.sessionToken), 200)
  await eventually(() => !workers.some(isRunning), patience)
  for (const agent of agents) agent.destroy()
  await service.stop()
})

test('WORKERS=2 with a database that does not respond ends with 1', needsPostgres, async () => {
  const service = await launchService({
    ...newDeployment(),
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    WORKERS: '2',
  })
  await eventually(() => !isRunning(service.pid), 30_000)
  assert.equal(await service.stop(), 1)
})

test('failed starts of all workers are counted together', needsPostgres, async () => {
  const database = await migratedDatabase()
  const service = await startService({ ...newDeployment(), ...settings, DATABASE_URL: database.url })
  await eventually(() => occurrences(service.output(), /worker started/g) === 2, patience)
  await database.drop()
  for (const pid of workersOf(service)) process.kill(pid, 'SIGKILL')
  await eventually(() => !isRunning(service.pid), 2 * patience)
  assert.equal(occurrences(service.output(), /a worker could not start/g), 5)
  assert.equal(await service.stop(), 1)
})

test('WORKERS=2 on the embedded database is refused with a reason', async () => {
  const service = await launchService({ ...newDeployment(), WORKERS: '2' })
  await written(service, /WORKERS must be 1 without DATABASE_URL/)
  await eventually(() => !isRunning(service.pid), patience)
  assert.equal(await service.stop(), 78)
})

function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] !== 'Z'
  } catch {
    return false
  }
}

async function validationsCounted(url: string): Promise<number> {
  const reply = await fetch(`${url}/metrics`, { headers: { 'x-bridge-secret': bridgeSecret } })
  const body = await reply.text()
  assert.equal(reply.status, 200, body)
  const counts = [...body.matchAll(/^wardenry_http_requests_total\{[^}]*bridge\/validate[^}]*\} (\d+)$/gm)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Returns the status. */
function validateOver(agent: Agent | undefined, url: string, sessionToken: string): Promise<number> {
  const body = JSON.stringify({ session_id: sessionToken })
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-bridge-secret': bridgeSecret }
    const sent = request(`${url}/auth/bridge/validate`, { method: 'POST', headers, agent }, (reply) => {
      reply.resume().once('end', () => resolve(reply.statusCode ?? 0))
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
