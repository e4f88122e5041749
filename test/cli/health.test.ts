import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { openWorkplace } from './run-command.ts'

test('health ends with code 0 only if the service reports that it is ready', async (t) => {
  const { run, runProcess } = await openWorkplace(t)
  let status = 200
  const asked: (string | undefined)[] = []
  const server = createServer((request, reply) => {
    asked.push(request.url)
    reply.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const PORT = String((server.address() as AddressInfo).port)

  // In a container, the service listens on all addresses. The command must not read the service's secrets.
  const env = { PORT, HOST: '0.0.0.0', NODE_ENV: 'production', AUTH_SECRET_FILE: '/missing' }
  assert.equal((await runProcess(['health'], { env })).code, 0)
  status = 503
  const refused = await run(['health'], { env: { PORT } })
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /\/health\/ready answers 503\n$/)
  assert.deepEqual(asked, ['/health/ready', '/health/ready'])
})

test('health fails without a service, and with a PORT that is none', async (t) => {
  const { run } = await openWorkplace(t)
  const silent = await run(['health'], { env: { PORT: String(await freePort()) } })
  assert.deepEqual([silent.code, silent.stdout], [1, ''])
  assert.match(silent.stderr, /does not answer\n$/)
  const wrong = await run(['health'], { env: { PORT: 'http' } })
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /^PORT must be a whole number/)
})
