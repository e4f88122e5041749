import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { findNginx, noNginx, startNginx } from '../support/proxies.ts'
import { needsPostgres } from './nodes.ts'
import { startRestartableNodes } from './restarts.ts'
import { adapted, deployed, writeCertificate } from './samples.ts'
import { startSteadyLoad } from './steady-load.ts'

const needsNginx = { skip: needsPostgres.skip || (!findNginx() && `skipped: ${noNginx}`) }

test('rolling restarts behind nginx as documented lose no request', needsNginx, async (t) => {
  const nodes = await startRestartableNodes()
  t.after(nodes.stop)
  const [plainPort, port] = [await freePort(), await freePort()]
  const nginx = await startNginx(port, async (directory) => {
    await writeCertificate(directory)
    return adapted(deployed('nginx/wardenry.conf'), {
      'listen 80;': `listen 127.0.0.1:${plainPort};`,
      '  listen [::]:80;\n': '',
      '  listen [::]:443 ssl;\n': '',
      'listen 443 ssl;': `listen 127.0.0.1:${port} ssl;`,
      '10.0.0.11:3000': `127.0.0.1:${nodes.ports[0]}`,
      '10.0.0.12:3000': `127.0.0.1:${nodes.ports[1]}`,
      '/etc/ssl/': `${directory}/`,
      '/var/log/nginx/': `${directory}/`,
      '/var/www/acme': directory,
    })
  })
  t.after(nginx.stop)
  const load = await startSteadyLoad(nodes.urls[0], [`https://127.0.0.1:${port}`])
  t.after(load.stop)
  const restarts = await nodes.restartInTurn()
  await load.stop()
  t.diagnostic(`${restarts} restarts: ${JSON.stringify(load.answered)}`)
  assert.deepEqual(load.failures, {})
  assert.equal(Object.keys(load.answered).length, 6)

  const redirect = await fetch(`http://127.0.0.1:${plainPort}/login?lang=es`, { redirect: 'manual' })
  assert.equal(redirect.headers.get('location'), 'https://id.example.com/login?lang=es')
  mkdirSync(`${nginx.directory}/.well-known/acme-challenge`, { recursive: true })
  writeFileSync(`${nginx.directory}/.well-known/acme-challenge/token`, 'proof')
  const challenge = await fetch(`http://127.0.0.1:${plainPort}/.well-known/acme-challenge/token`)
  assert.equal(await challenge.text(), 'proof')
  for (const file of readdirSync(nginx.directory).filter((name) => name.endsWith('.log')))
    assert.doesNotMatch(readFileSync(`${nginx.directory}/${file}`, 'utf8'), /session_id|lang=es/, file)
})
