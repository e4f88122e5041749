import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'
import { findHaproxy, noHaproxy, startHaproxy } from '../support/proxies.ts'
import { needsPostgres } from './nodes.ts'
import { startRestartableNodes } from './restarts.ts'
import { adapted, sampleAfter, writeCertificate } from './samples.ts'
import { startSteadyLoad } from './steady-load.ts'

const needsHaproxy = { skip: needsPostgres.skip || (!findHaproxy() && `skipped: ${noHaproxy}`) }

test('rolling restarts behind HAProxy as documented lose no request', needsHaproxy, async (t) => {
  const nodes = await startRestartableNodes()
  t.after(nodes.stop)
  const [plainPort, port] = [await freePort(), await freePort()]
  const haproxy = await startHaproxy(port, async (directory) => {
    await writeCertificate(directory)
    return adapted(sampleAfter('## HAProxy'), {
      'bind :80': `bind 127.0.0.1:${plainPort}`,
      'bind :443 ': `bind 127.0.0.1:${port} `,
      '10.0.0.11:3000': `127.0.0.1:${nodes.ports[0]}`,
      '10.0.0.12:3000': `127.0.0.1:${nodes.ports[1]}`,
      '/etc/haproxy/': `${directory}/`,
    })
  })
  t.after(haproxy.stop)
  /** Whether HAProxy sends requests to both nodes. */
  const allUp = async () => {
    const [names, ...rows] = (await haproxy.ask('show stat')).trim().split('\n')
    const column = names!.split(',').indexOf('status')
    const servers = rows.map((row) => row.split(',')).filter(([, name]) => name === 'one' || name === 'two')
    return servers.length === 2 && servers.every((row) => row[column] === 'UP')
  }
  const load = await startSteadyLoad(nodes.urls[0], [`https://127.0.0.1:${port}`])
  t.after(load.stop)
  const restarts = await nodes.restartInTurn(async () => {
    while (!(await allUp())) await sleep(50)
  })
  await load.stop()
  t.diagnostic(`${restarts} restarts: ${JSON.stringify(load.answered)}`)
  assert.deepEqual(load.failures, {})
  assert.equal(Object.keys(load.answered).length, 6)

  const redirect = await fetch(`http://127.0.0.1:${plainPort}/login?lang=es`, {
    redirect: 'manual',
    headers: { host: 'id.example.com' },
  })
  assert.equal(redirect.status, 301)
})
