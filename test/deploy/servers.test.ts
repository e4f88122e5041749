import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/free-port.ts'
import { findCaddy, noCaddy } from '../support/proxies.ts'
import { findRedis, noRedis } from '../support/redis.ts'
import { openScratch } from '../support/scratch.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { folder } from './support.ts'

const place = (path: string): string => fileURLToPath(new URL(path, folder))

test('Caddy accepts the Caddyfile', { skip: !findCaddy() && `skipped: ${noCaddy}` }, () => {
  const env = { HOME: temporaryDirectory('caddy'), DOMAIN: 'id.example.com' }
  const args = ['adapt', '--validate', '--adapter', 'caddyfile', '--config', place('Caddyfile')]
  const { status, stdout, stderr } = spawnSync(findCaddy()!, args, { env, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.match(stdout, /"host":\["id\.example\.com"\]/)
  assert.match(stdout, /"dial":"wardenry:3000"/)
})

const needs = {
  skip:
    (!findRedis() && `skipped: ${noRedis}`) ||
    (process.getuid?.() !== 0 && 'skipped: the files of secrets get other users, which needs root'),
}

test(
  'the cache takes its password from the file of create-secrets.sh, and answers nobody without it',
  needs,
  async (t) => {
    const secrets = join(temporaryDirectory('compose'), 'secrets')
    assert.equal(spawnSync(place('create-secrets.sh'), [secrets]).status, 0)
    const scratch = await openScratch('valkey')
    t.after(() => scratch.close())
    const port = await freePort()
    const listen = ['--bind', '127.0.0.1', '--port', String(port), '--dir', scratch.directory]
    const server = await scratch.start(findRedis()!, [join(secrets, 'valkey.conf'), ...listen])
    await server.until(async () => /Ready to accept connections/.test(server.output()))
    assert.match(await say(port, 'PING'), /^-NOAUTH/)
    const { username, password } = new URL(readFileSync(join(secrets, 'redis_url'), 'utf8').trim())
    assert.equal(username, '')
    assert.equal(await say(port, `AUTH ${password}`), '+OK\r\n')
  },
)

async function say(port: number, line: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${line}\r\n`)
  const [reply] = await once(socket, 'data')
  socket.destroy()
  return String(reply)
}
