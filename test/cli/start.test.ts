// Setup: embedded database
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { registerAt } from '../nodes/nodes.ts'
import { type Service, startService, written } from '../support/child.ts'
import { freePort } from '../support/free-port.ts'
import { commandEnvironment, openWorkplace } from './run-command.ts'

/** Slows down hashing so that it can be interrupted. */
const slowHashes = { ARGON2_MEMORY_KIB: '131072', ARGON2_TIME: '4' }

test('a first start shows the next steps: URL, bridge secret and set-up link', async (t) => {
  const service = await startService({})
  t.after(() => service.kill())
  await written(service, /Rate limits are/)
  const output = service.output()
  assert.match(output, /API page +http:\/\/localhost:\d+\/docs/)
  assert.match(output, /Bridge secret +[\w-]{43}\n/)
  assert.match(output, /Rate limits are 100 times as high as in production\.\n/)
  assert.match(output, /First superadmin +http:\/\/localhost:\d+\/auth\/setup\?token=[\w-]{43}\n/)
})

test('in production the log is all that is written to standard output, and holds no secret', async (t) => {
  const secret = 'kXv93mQz7LrT5wYc1NdB8sHfJ2gPaE4u'
  const service = await startService({
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://id.example.com',
    AUTH_SECRET: 'Zk3vQ8mN1xR6tY9wL4cB7dHs2JfGpVeU',
    BRIDGE_SECRET: secret,
    DATA_KEYS: `1:${Buffer.from('seven quiet river stones, a moth').toString('base64url')}`,
  })
  t.after(() => service.kill())
  await written(service, /First superadmin/)
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line).msg)
  assert.ok(lines.some((message) => /SMTP_URL is not set/.test(message)))
  assert.doesNotMatch(service.output(), new RegExp(`is ready|Limits|${secret}`))
})

test('a data directory that others can read is reported at startup', async (t) => {
  const { dataDir } = await openWorkplace(t)
  await mkdir(dataDir, { mode: 0o755 })
  const service = await startService({ DATA_DIR: dataDir })
  t.after(() => service.kill())
  await written(service, /others can read \S+: chmod 700/)
})

test('a HOST that is no address of this machine is named as the cause', async (t) => {
  const { runProcess, dataDir } = await openWorkplace(t)
  for (const HOST of ['*', '203.0.113.7']) {
    const { code, stderr } = await runProcess(['start'], { env: { DATA_DIR: dataDir, HOST, PORT: '0' } })
    assert.equal(code, 1)
    assert.ok(stderr.includes(`HOST=${HOST} is not an address of this machine: use 127.0.0.1`), stderr)
    assert.doesNotMatch(stderr, /DATABASE_URL/)
  }
})

test('a port in use is named, and the next one is proposed', async (t) => {
  const { runProcess, dataDir } = await openWorkplace(t)
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { code, stderr } = await runProcess(['start'], { env: { DATA_DIR: dataDir, PORT: String(port) } })
  assert.equal(code, 1)
  assert.match(stderr, new RegExp(`port ${port} is in use .* with PORT=${port + 1} `))
})

test('a data directory that cannot be used is refused with the remedy', async (t) => {
  const { runProcess, directory } = await openWorkplace(t)
  await writeFile(join(directory, 'file'), '')
  for (const name of ['file', 'file/data']) {
    const { code, stderr } = await runProcess(['start'], { env: { DATA_DIR: join(directory, name), PORT: '0' } })
    assert.equal(code, 78, stderr)
    assert.match(stderr, /DATA_DIR must be a directory, but \S+ or a part of its path is a file/)
  }
})

test('a umask that denies access to new files is refused with the remedy', async (t) => {
  const { directory } = await openWorkplace(t)
  const program = resolve(import.meta.dirname, '../../bin/wardenry.js')
  const script = `umask 777; exec "${process.execPath}" "${program}" start`
  const { status, stderr } = spawnSync('sh', ['-c', script], {
    env: commandEnvironment({ DATA_DIR: join(directory, 'data'), PORT: '0' }),
    encoding: 'utf8',
    timeout: 30_000,
  })
  assert.equal(status, 1)
  assert.match(stderr, /umask 0777 denies this user access to its own new files: set it to 0077/)
})

test('the log names the cause if Redis cannot be used, and the service starts without it', async (t) => {
  const nobody = `127.0.0.1:${await freePort()}`
  const service = await startService({ REDIS_URL: `redis://${nobody}`, LOG_LEVEL: 'info' })
  t.after(() => service.kill())
  await written(service, /Redis refuses the connection: check that it is running.*Redis cannot be used: continuing/)
})

test('SIGTERM lets a running request finish, and does not wait for connections that stay open', async () => {
  const service = await startService({ ...slowHashes, SHUTDOWN_TIMEOUT: '10s' })
  const agent = new Agent({ keepAlive: true })
  const { answer } = await beginRegistration(service, agent)
  const code = service.stop()
  assert.equal(await answer, 200)
  assert.equal(await code, 0)
  agent.destroy()
})

test('a second SIGTERM ends the service although a request is running', async (t) => {
  const service = await startService({ ...slowHashes, ARGON2_TIME: '10' })
  t.after(() => service.kill())
  const running = await beginRegistration(service, new Agent())
  const answer = running.answer.catch(() => 'cut off')
  process.kill(service.pid, 'SIGTERM')
  await written(service, /"msg":"stopping"/)
  process.kill(service.pid, 'SIGTERM')
  assert.equal(await answer, 'cut off')
  assert.doesNotMatch(service.output(), /"msg":"stopped"/)
})

test('while the service runs, commands that need its database say who holds it, and doctor asks the service', async (t) => {
  const { run, dataDir } = await openWorkplace(t)
  const service = await startService({ DATA_DIR: dataDir })
  t.after(() => service.kill())
  const env = { DATA_DIR: dataDir, PORT: new URL(service.url).port }
  const { sessionToken } = await registerAt(service.url)
  const stopFirst = /has it open(.|\n)*stop it, run this command, and start it again/
  const rejections: [command: string, advice: RegExp][] = [
    ['admin create --email grace@example.com', stopFirst],
    ['migrate', /has it open/],
    ['user end-sessions ada@example.com', stopFirst],
    ['sessions end-all --yes', stopFirst],
    ['settings reset APP_NAME', /PUT \/auth\/admin\/settings/],
    ['module install privacy', /\/api\/v1\/modules\/install\/<module>\/run/],
  ]
  for (const [words, advice] of rejections) {
    const { code, stdout, stderr } = await run(words.split(' '), { env, input: 'seven quiet river stones\n' })
    assert.deepEqual([code, stdout], [1, ''], words)
    assert.match(stderr, new RegExp(`Process ${service.pid} has it open`), words)
    assert.match(stderr, advice, words)
  }
  const me = await fetch(`${service.url}/auth/me`, { headers: { 'x-session-id': sessionToken } })
  assert.equal(me.status, 200)
  const doctor = await run(['doctor'], { env })
  assert.equal(doctor.code, 0, doctor.stdout)
  assert.match(doctor.stdout, new RegExp(`✓ Database +in use by process ${service.pid}, .* is ready`))
})

/** Resolves when the service has begun to read the request. `answer` resolves with the response status. */
async function beginRegistration({ url }: Service, agent: Agent): Promise<{ answer: Promise<number | undefined> }> {
  const headers = { 'content-type': 'application/json', expect: '100-continue' }
  const call = request(`${url}/auth/register/public`, { method: 'POST', agent, headers })
  const answer = new Promise<number | undefined>((resolve, reject) => {
    call.once('response', (reply) => reply.resume().once('end', () => resolve(reply.statusCode)))
    call.once('error', reject)
  })
  call.flushHeaders()
  await once(call, 'continue')
  call.end(JSON.stringify({ email: 'ada@example.com', password: 'seven quiet river stones' }))
  return { answer }
}
