import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { call, newDeployment, registerAt, tally } from '../nodes/nodes.ts'
import { type Service, startService, written } from '../support/child.ts'

async function start(t: TestContext, more: Parameters<typeof startService>[1] = {}): Promise<Service> {
  const service = await startService(newDeployment(), more)
  t.after(() => service.kill())
  return service
}

/** These requests are rejected, and each rejection is logged. */
async function request(service: Service, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 50) {
    const replies = await Promise.all(Array.from({ length: 50 }, () => call(`${service.url}/auth/validation`)))
    assert.deepEqual(tally(replies), { 401: 50 })
  }
}

const dropped = async ({ url }: Service): Promise<number> => {
  const page = await (await fetch(`${url}/metrics`)).text()
  return Number(/^wardenry_log_lines_dropped_total (\d+)$/m.exec(page)?.[1])
}

for (const streams of [['stdout'], ['stderr'], ['stdout', 'stderr']] as const) {
  test(`serves on and stops cleanly after the reader of ${streams.join(' and ')} has gone`, async (t) => {
    const service = await start(t)
    for (const name of streams) service[name].destroy()
    await request(service, 100)
    assert.equal((await registerAt(service.url)).sessionToken.startsWith('ses_'), true)
    assert.equal((await dropped(service)) > 0, streams.includes('stdout' as never))
    assert.equal(await service.stop(), 0)
  })
}

test('starts, serves and stops cleanly while its log goes to a full disk', async (t) => {
  const service = await start(t, { redirect: '>/dev/full 2>&1' })
  await request(service, 100)
  assert.ok((await dropped(service)) > 100)
  assert.equal(await service.stop(), 0)
})

test('keeps at most 1 MB for a reader that does not read, and says how many lines are missing', async (t) => {
  const service = await start(t)
  await request(service, 50)
  service.stdout.pause()
  while ((await dropped(service)) < 100) await request(service, 200)
  service.stdout.resume()
  const before = service.output().length
  await request(service, 50)
  const [, count] = await written(service, /"dropped":(\d+),"msg":"log lines were dropped/)
  assert.ok(Number(count) >= 100)
  assert.ok(service.output().length - before < 2 << 20, `${service.output().length - before} bytes were kept`)
  assert.equal(await service.stop(), 0)
})
