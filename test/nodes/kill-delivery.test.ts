import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '../../src/lib/time.ts'
import { type Service, startService } from '../support/child.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { migratedDatabase, needsPostgres, newDeployment, registerAt, type TestDatabase } from './nodes.ts'

const bound = 60 * second

let database: TestDatabase
let sink: SmtpSink
let settings: Record<string, string>
let survivor: Service

describe('mails that a node was delivering', needsPostgres, () => {
  before(async () => {
    database = await migratedDatabase()
    sink = await startSmtpSink()
    settings = { ...newDeployment(), DATABASE_URL: database.url, SMTP_URL: sink.url }
    survivor = await startService(settings)
  })
  after(async () => {
    await survivor?.stop()
    await sink?.stop()
    await database?.drop()
  })

  test('arrive within a minute, once, when it is killed while the mail server is silent', async (t) => {
    const { node, proxy } = await startDoomed(t)
    proxy.blackhole()
    const addresses = await registerMany(node, 30)
    await claimed()
    await node.kill()
    const took = await arrival(addresses)
    t.diagnostic(`the last of ${addresses.length} mails arrived after ${Math.round(took / second)} s`)
    for (const address of addresses) assert.equal(copies(address), 1, address)
  })

  test('arrive within a minute when it is killed, twice only if the server took them in that moment', async (t) => {
    const { node, proxy } = await startDoomed(t)
    proxy.latency(30)
    const addresses = await registerMany(node, 30)
    await claimed()
    await sleep(Math.random() * second)
    await node.kill()
    const accepted = addresses.filter((address) => copies(address) > 0)
    const recorded = await database.query<{ id: string }>(`SELECT id FROM outbox WHERE status = 'sent'`)
    await arrival(addresses)
    await settled()
    for (const address of addresses) assert.ok(copies(address) === 1 || accepted.includes(address), address)
    for (const { id } of recorded) {
      assert.equal(
        sink.mails.filter(({ raw }) => raw.includes(`<${id}@`)).length,
        1,
        'recorded as sent before the kill',
      )
    }
    const twice = addresses.filter((address) => copies(address) > 1)
    t.diagnostic(`${twice.length} of ${addresses.length} mails arrived twice`)
  })

  test('are left to it while it runs, however slow its mail server is', async (t) => {
    const { node, proxy } = await startDoomed(t)
    proxy.blackhole()
    const addresses = await registerMany(node, 10)
    await claimed()
    await fixedWait(26 * second, 'no other node may take messages over, even after a claim would have ended')
    const slow = addresses.filter((address) => copies(address) === 0)
    assert.ok(slow.length > 0, 'some were claimed by the slow node')
    proxy.heal()
    await arrival(slow)
    await settled()
    for (const address of addresses) assert.equal(copies(address), 1, address)
  })

  test('are not sent by it after it was frozen, because another node has sent them', async (t) => {
    const { node, proxy } = await startDoomed(t)
    proxy.blackhole()
    const addresses = await registerMany(node, 10)
    await claimed()
    process.kill(node.pid, 'SIGSTOP')
    await arrival(addresses)
    proxy.heal()
    process.kill(node.pid, 'SIGCONT')
    // Once these messages have been delivered, the node's interrupted deliveries have ended.
    await arrival(await registerMany(node, 30))
    await settled()
    for (const address of addresses) assert.equal(copies(address), 1, address)
  })
})

/** A node whose connection to the mail server can be disrupted. */
async function startDoomed(t: TestContext): Promise<{ node: Service; proxy: FaultProxy }> {
  const proxy = await startFaultProxy(Number(new URL(sink.url).port))
  t.after(() => proxy.stop())
  const node = await startService({ ...settings, SMTP_URL: proxy.through(sink.url) })
  t.after(() => node.kill())
  return { node, proxy }
}

/** Each registration enqueues one email. */
async function registerMany({ url }: Service, count: number): Promise<string[]> {
  const people = await Promise.all(Array.from({ length: count }, () => registerAt(url)))
  return people.map(({ email }) => email)
}

const copies = (address: string): number => sink.mails.filter(({ envelope }) => envelope.to.includes(address)).length

/** Waits until every address has received its email. Returns the elapsed milliseconds. */
async function arrival(addresses: string[]): Promise<number> {
  const started = performance.now()
  const took = () => performance.now() - started
  while (addresses.some((address) => copies(address) === 0)) {
    const missing = addresses.filter((address) => copies(address) === 0)
    assert.ok(took() < bound, `${missing.length} of ${addresses.length} mails have not arrived`)
    await sleep(50)
  }
  return took()
}

/** Resolves once a node is delivering a message. */
const claimed = () => untilJobs(({ active }) => active > 0)
/** Resolves once all messages are delivered and recorded as sent. */
const settled = () => untilJobs(({ open }) => open === 0)

async function untilJobs(isAsWanted: (jobs: { active: number; open: number }) => boolean): Promise<void> {
  for (const end = performance.now() + bound; ; await sleep(10)) {
    const [jobs] = await database.query<{ active: number; open: number }>(`SELECT
      count(*) FILTER (WHERE state = 'active')::int AS active,
      (SELECT count(*)::int FROM outbox WHERE status IN ('pending', 'queued')) AS open
      FROM jobs.job WHERE name = 'deliver'`)
    if (jobs && isAsWanted(jobs)) return
    assert.ok(performance.now() < end, `jobs stay ${JSON.stringify(jobs)}`)
  }
}
