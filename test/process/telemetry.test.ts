import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { call, newDeployment, registerAt } from '../nodes/nodes.ts'
import { startService, written } from '../support/child.ts'
import { freePort } from '../support/free-port.ts'
import { startOtlpReceiver } from '../support/otlp-receiver.ts'

test('spans and metrics that have not been sent yet are sent at shutdown, as JSON if so configured', async (t) => {
  const receiver = await startOtlpReceiver()
  t.after(() => receiver.stop())
  const service = await startService({
    ...newDeployment(),
    OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/other`,
    // Environment variables for a single signal, which only the SDK reads.
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/v1/traces`,
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${receiver.url}/v1/metrics`,
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_SERVICE_NAME: 'sign-in',
  })
  t.after(() => service.kill())
  await registerAt(service.url)
  assert.equal((await call(`${service.url}/auth/me`)).status, 401)
  assert.equal(await service.stop(), 0)
  const spans = receiver.spans()
  const names = spans.map(({ name }) => name)
  for (const name of ['POST /auth/register/public', 'GET /auth/me', 'hash password', 'COMMIT'])
    assert.ok(names.includes(name), `${name} in ${names}`)
  assert.ok(spans.every(({ resource }) => resource['service.name'] === 'sign-in'))
  const requests = receiver.points().filter(({ name }) => name === 'wardenry_http_requests_total')
  assert.ok(requests.some(({ attributes }) => attributes.route === '/auth/register/public'))
  for (const headers of receiver.headers()) {
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['content-encoding'], 'gzip')
  }
})

test('a collector that cannot be reached or that fails is logged once, and the service works and stops as usual', async (t) => {
  const receiver = await startOtlpReceiver()
  t.after(() => receiver.stop())
  receiver.answerWith(400)
  const endpoints = [`http://127.0.0.1:${await freePort()}`, receiver.url]
  for (const endpoint of endpoints) {
    const service = await startService({
      ...newDeployment(),
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
      // The timeout also limits the time for retries.
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      SHUTDOWN_TIMEOUT: '10s',
    })
    t.after(() => service.kill())
    await registerAt(service.url)
    await written(service, /collector does not accept traces/)
    await written(service, /collector does not accept metrics/)
    for (let round = 0; round < 30; round++) assert.equal((await call(`${service.url}/health`)).status, 200)
    const started = performance.now()
    assert.equal(await service.stop(), 0)
    assert.ok(performance.now() - started < 10_000)
    for (const signal of ['traces', 'metrics'])
      assert.equal(service.output().split(`does not accept ${signal}`).length, 2, `${signal} is logged once`)
  }
})

test('a collector that never answers neither slows requests nor delays the shutdown by more than two seconds', async (t) => {
  const silent = createServer(() => {})
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const connections = new Set<Socket>()
  silent.on('connection', (connection) => connections.add(connection))
  t.after(() => {
    silent.close()
    for (const connection of connections) connection.destroy()
  })
  const { port } = silent.address() as AddressInfo
  const service = await startService({ ...newDeployment(), OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
  t.after(() => service.kill())
  await registerAt(service.url)
  const waiting = once(silent, 'connection')
  for (let round = 0; round < 30; round++) assert.equal((await call(`${service.url}/health`)).status, 200)
  await waiting
  assert.equal((await call(`${service.url}/health/ready`)).status, 200)
  const started = performance.now()
  assert.equal(await service.stop(), 0)
  assert.ok(performance.now() - started < 6_000, `${performance.now() - started} ms`)
})
