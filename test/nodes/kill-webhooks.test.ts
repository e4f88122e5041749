import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { minute } from '../../src/lib/time.ts'
import { type Service, startService } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import { call, migratedDatabase, needsPostgres, newDeployment, registerAt, type TestDatabase } from './nodes.ts'

/** More events and kills take longer: EVENTS=100000 KILLS=25 */
const events = Number(process.env.EVENTS ?? 3_000)
const kills = Number(process.env.KILLS ?? 4)
const users = 500

describe(`${events} waiting deliveries`, needsPostgres, () => {
  let database: TestDatabase
  let settings: Record<string, string>
  const nodes: Service[] = []
  let receiver: Server
  /** The numbers of the accepted events by user, in the order of their first arrival, and the number of repetitions. */
  const accepted = new Map<string, number[]>()
  const seen = new Set<string>()
  let repeated = 0
  before(async () => {
    database = await migratedDatabase()
    receiver = createServer(async (request, reply) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { id, data } = JSON.parse(Buffer.concat(chunks).toString())
      reply.writeHead(204).end()
      if (seen.has(id)) repeated++
      else if (data.changed) {
        seen.add(id)
        accepted.set(data.user_id, [...(accepted.get(data.user_id) ?? []), Number(data.changed[0])])
      }
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    settings = { ...newDeployment(), DATABASE_URL: database.url, EVENT_ALLOW_PRIVATE_HOSTS: 'true' }
    nodes.push(await startService(settings), await startService(settings))
  })
  after(async () => {
    await Promise.all(nodes.map((node) => node.stop().catch(() => node.kill())))
    receiver?.closeAllConnections()
    receiver?.close()
    await database?.drop()
  })

  test(`survive ${kills} kills of two nodes, in order for each user`, { timeout: 30 * minute }, async (t) => {
    const [node] = nodes
    assert.ok(node)
    const grace = await registerAt(node.url, 'grace')
    await database.query(`UPDATE users SET user_type = 'superadmin' WHERE id = $1`, [grace.id])
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const created = await call(`${node.url}/auth/admin/webhooks`, {
      body: { url, events: ['user.updated'] },
      headers: { 'x-session-id': grace.sessionToken },
    })
    assert.equal(created.status, 200, JSON.stringify(created.json))
    await database.query(`INSERT INTO events (id, type, version, occurred_at, target_id, data)
      SELECT gen_random_uuid(), 'user.updated', 1, now(), u.id,
        jsonb_build_object('user_id', u.id, 'changed', jsonb_build_array(n::text))
      FROM generate_series(1, ${events}) AS n
      JOIN (SELECT place, gen_random_uuid() AS id FROM generate_series(0, ${users - 1}) AS place) AS u
        ON u.place = n % ${users} ORDER BY n`)
    for (let kill = 1; kill <= kills; kill++) {
      const reached = (events * kill) / (kills + 1)
      await until(() => seen.size >= reached, `${reached} events`)
      await sleep(Math.random() * 50)
      const victim = nodes.shift()
      await victim?.kill()
      nodes.push(await startService(settings))
    }
    await until(() => seen.size === events, 'all events')
    await untilNoneWaits(database)
    t.diagnostic(`${events} events arrived, ${repeated} of them were repeated`)
    for (const numbers of accepted.values())
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => a - b),
      )
    assert.equal([...accepted.values()].flat().length, events)
  })
})

const until = (isTrue: () => boolean | Promise<boolean>, what: string, limit = 10 * minute) =>
  eventually(isTrue, limit, () => what)

/** Killed nodes leave deliveries that were accepted but not recorded. They are repeated when their claims expire. */
const untilNoneWaits = (database: TestDatabase) =>
  until(
    async () => {
      const [row] = await database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM webhook_deliveries WHERE status = 'waiting'`,
      )
      return row?.count === 0
    },
    'no delivery waits',
    minute,
  )
