import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../support/child.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { call, migratedDatabase, needsBoth, newDeployment, redisUrl, registerAt, validateAt } from './nodes.ts'

/** In milliseconds: the maximum delay of a revocation, and how long it is observed. */
const maxDelay = 1_000
const watched = 6_000
/** The limit for a response that waits for the database. */
const maxWait = 12_000

test('a node that hears nothing from Redis or the database stops serving within a second', needsBoth, async (t) => {
  const database = await migratedDatabase()
  const proxies = await Promise.all([database.url, redisUrl].map((url) => startFaultProxy(Number(new URL(url).port))))
  const [toDatabase, toRedis] = proxies as [(typeof proxies)[0], (typeof proxies)[0]]
  const shared = newDeployment()
  const well = await startService({ ...shared, DATABASE_URL: database.url, REDIS_URL: redisUrl })
  const deaf = await startService({
    ...shared,
    DATABASE_URL: toDatabase.through(database.url),
    REDIS_URL: toRedis.through(redisUrl),
  })
  t.after(async () => {
    for (const proxy of proxies) proxy.heal()
    await Promise.all([well.stop(), deaf.stop()])
    await Promise.all(proxies.map((proxy) => proxy.stop()))
    await database.drop()
  })
  const { sessionToken } = await registerAt(well.url)
  for (const { url } of [deaf, deaf]) assert.equal((await validateAt(url, sessionToken)).status, 200)

  for (const proxy of proxies) proxy.blackhole()
  const { status } = await call(`${well.url}/auth/logout`, {
    method: 'POST',
    headers: { 'x-session-id': sessionToken },
  })
  const endedAt = performance.now()
  assert.equal(status, 200)
  let served = 0
  const answers: number[] = []
  while (performance.now() - endedAt < watched) {
    const asked = performance.now()
    validateAt(deaf.url, sessionToken).then(
      (reply) => {
        answers.push(reply.status)
        if (reply.status === 200) served = Math.max(served, asked - endedAt)
      },
      () => {},
    )
    await sleep(20)
  }
  t.diagnostic(`served for ${Math.round(served)} ms`)
  assert.ok(served <= maxDelay, `still served after ${Math.round(served)} ms`)
  while (!answers.includes(503)) {
    assert.ok(performance.now() - endedAt < maxWait, 'a request is given up in time')
    await sleep(50)
  }

  for (const proxy of proxies) proxy.heal()
  const healedAt = performance.now()
  while ((await validateAt(deaf.url, sessionToken)).status !== 401) {
    assert.ok(performance.now() - healedAt < 20_000, 'the node answers again')
    await sleep(50)
  }
})
