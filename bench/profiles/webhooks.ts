import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { PacedResult } from '../load/paced.ts'
import { assertOnly } from '../load/status.ts'
import { median } from '../numbers.ts'
import { cores, type PinnedProcess, startPinned } from '../process/pinned.ts'
import type { Service } from '../service.ts'
import type { Stage } from '../stage.ts'

const rounds = 5
const milliseconds = 6_000
const eventsPerSecond = 1_000
const insertedAtOnce = 100
const burst = 20_000
/** These sign-ins and the events together use about half of the service's capacity on two cores. */
const signIns = { requests: 'login', connections: 16, milliseconds, perSecond: 10 }

export interface WebhookFigures {
  /** Events per second that one process delivers from a waiting burst to one receiver, without other work. */
  burstPerSecond: number
  /** The 95th percentile of sign-in times while events are delivered, divided by the one without events. */
  signInRatio: number
  calm: PacedResult
  delivering: PacedResult
  /** Events delivered per second while users signed in. */
  arrivedPerSecond: number
}

/** Measures how fast one process delivers events, and how much longer sign-ins take meanwhile. */
export async function measureWebhooks(stage: Stage): Promise<WebhookFigures> {
  const receiver = startPinned(join(import.meta.dirname, '../load/receiver.ts'), cores.all)
  const client = new pg.Client({ connectionString: stage.databaseUrl })
  await client.connect()
  const service = await stage.startService({ EVENT_ALLOW_PRIVATE_HOSTS: 'true' }, 'all')
  try {
    await createWebhook(service, stage, client, await receiver.ask<number>('listen'))
    return {
      burstPerSecond: await deliverBurst(client, receiver),
      ...(await inTurns(stage, service, client, receiver)),
    }
  } finally {
    await service.stop()
    await receiver.stop()
    await client.end()
  }
}

async function createWebhook(service: Service, stage: Stage, client: pg.Client, port: number): Promise<void> {
  const { rows } = await client.query(`UPDATE users SET user_type = 'superadmin'
    WHERE id = (SELECT id FROM users ORDER BY id LIMIT 1) RETURNING email`)
  const post = async (path: string, body: unknown, headers = {}) => {
    const reply = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`)
    return (await reply.json()) as { sessionId: string }
  }
  const { sessionId } = await post('/auth/login', { email: rows[0].email, password: stage.stored.password })
  const webhook = { url: `http://127.0.0.1:${port}/`, events: ['user.updated'] }
  await post('/auth/admin/webhooks', webhook, { 'x-session-id': sessionId })
}

async function deliverBurst(client: pg.Client, receiver: PinnedProcess): Promise<number> {
  await insertEvents(client, burst)
  await untilReceived(receiver, 1)
  const started = performance.now()
  await untilReceived(receiver, burst)
  return burst / ((performance.now() - started) / 1000)
}

async function inTurns(stage: Stage, service: Service, client: pg.Client, receiver: PinnedProcess) {
  const signIn = () => stage.load.ask<PacedResult>('paced', { ...signIns, port: service.port })
  await signIn()
  const pairs: { calm: PacedResult; delivering: PacedResult; arrived: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const calm = await signIn()
    const before = await receiver.ask<number>('received')
    const stop = keepInserting(client)
    // The first events arrive after a second.
    await untilReceived(receiver, before + 1)
    const start = await receiver.ask<number>('received')
    const delivering = await signIn()
    const arrived = (await receiver.ask<number>('received')) - start
    await untilReceived(receiver, before + (await stop()))
    for (const { statuses } of [calm, delivering]) assertOnly(statuses, 200, service.output())
    pairs.push({ calm, delivering, arrived })
  }
  const typical = pairs.toSorted((left, right) => ratio(left) - ratio(right))[Math.floor(rounds / 2)]!
  return {
    signInRatio: ratio(typical),
    calm: typical.calm,
    delivering: typical.delivering,
    arrivedPerSecond: median(pairs.map(({ arrived }) => (arrived * 1000) / milliseconds)),
  }
}

const ratio = ({ calm, delivering }: { calm: PacedResult; delivering: PacedResult }) => delivering.p95 / calm.p95

/** Returns a function that stops the insertion and returns the number of inserted events. */
function keepInserting(client: pg.Client): () => Promise<number> {
  let count = 0
  let stopped = false
  const started = performance.now()
  const work = (async () => {
    while (!stopped) {
      await insertEvents(client, insertedAtOnce)
      count += insertedAtOnce
      await sleep(Math.max(0, started + (count / eventsPerSecond) * 1000 - performance.now()))
    }
    return count
  })()
  return () => {
    stopped = true
    return work
  }
}

/** Each event is about a different user, as in a service with many users. */
const insertEvents = (client: pg.Client, count: number) =>
  client.query(
    `INSERT INTO events (id, type, version, occurred_at, target_id, data)
      SELECT gen_random_uuid(), 'user.updated', 1, now(), user_id,
        jsonb_build_object('user_id', user_id, 'changed', jsonb_build_array('name'))
      FROM (SELECT gen_random_uuid() AS user_id FROM generate_series(1, $1::int)) AS added`,
    [count],
  )

async function untilReceived(receiver: PinnedProcess, count: number): Promise<void> {
  const end = performance.now() + 120_000
  while ((await receiver.ask<number>('received')) < count) {
    if (performance.now() > end) throw new Error('the events do not arrive')
    await sleep(5)
  }
}
