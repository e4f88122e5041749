// Setup: embedded database
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import { createClient } from 'redis'
import { selfSigned } from '../support/certificate.ts'
import { freePort } from '../support/free-port.ts'
import { skipWithoutPostgres, startPostgres } from '../support/postgres.ts'
import { skipWithoutRedis, startRedis } from '../support/redis.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { openWorkplace } from './run-command.ts'

const key = Buffer.alloc(32, 7).toString('base64url')

test('doctor finds a fresh checkout ready, and leaves no trace of having looked', async (t) => {
  const { runProcess, directory } = await openWorkplace(t)
  const { code, stdout } = await runProcess(['doctor'])
  assert.equal(code, 0, stdout)
  assert.match(stdout, /✓ Node\.js/)
  assert.match(stdout, /✓ Database\s+no database in \.\/data yet/)
  assert.doesNotMatch(stdout, /✗/)
  assert.deepEqual(await readdir(directory), [])
})

test('doctor opens a database that is there, and says which it is and that nothing is pending', async (t) => {
  const { run, dataDir } = await openWorkplace(t)
  const env = { DATA_DIR: dataDir }
  assert.equal((await run(['migrate'], { env })).code, 0)
  const { code, stdout } = await run(['doctor'], { env })
  assert.equal(code, 0, stdout)
  assert.match(stdout, /✓ Database\s+embedded \d+/)
  assert.match(stdout, /✓ Migrations\s+all applied/)
  assert.match(stdout, /✓ Clock\s+0\.\d s/)
  assert.match(stdout, /✓ Data directory\s+\S+, accessible only to this user/)
})

test('doctor lists all problems of a configuration', async (t) => {
  const { run } = await openWorkplace(t)
  const { code, stdout } = await run(['doctor'], { env: { NODE_ENV: 'production', PORT: 'http', MAIL_FROM: '@' } })
  assert.equal(code, 1)
  for (const name of ['PORT', 'PUBLIC_URL', 'AUTH_SECRET', 'DATA_KEYS', 'MAIL_FROM'])
    assert.match(stdout, new RegExp(`${name} `))
})

test('each server that does not respond is reported as a separate problem', async (t) => {
  const { run } = await openWorkplace(t)
  const nobody = `127.0.0.1:${await freePort()}`
  const { code, stdout } = await run(['doctor'], {
    env: {
      DATABASE_URL: `postgres://ada:relay-of-moths@${nobody}/wardenry`,
      REDIS_URL: `redis://${nobody}`,
      SMTP_URL: `smtp://${nobody}`,
      AUTH_SECRET: 'auth-Zk3vQ8mN1xR6tY9wL4cB7dHs2JfGpVeU',
      DATA_KEYS: `1:${Buffer.alloc(32, 7).toString('base64url')}`,
    },
  })
  assert.equal(code, 1)
  for (const about of ['Database', 'Redis', 'SMTP']) assert.match(stdout, new RegExp(`✗ ${about}\\s`))
  assert.doesNotMatch(stdout, /relay-of-moths/)
})

test('doctor names the cause if Redis cannot be used', { skip: skipWithoutRedis() }, async (t) => {
  const { run } = await openWorkplace(t)
  const redis = await startRedis()
  const client = createClient({ url: redis.url })
  await client.connect()
  const { key: tlsKey, certificate: cert } = selfSigned()
  const secure = createTlsServer({ key: tlsKey, cert }).listen(0, '127.0.0.1')
  secure.on('tlsClientError', () => {})
  await once(secure, 'listening')
  t.after(async () => {
    client.destroy()
    secure.close()
    await redis.stop()
  })
  const ofTls = `rediss://127.0.0.1:${(secure.address() as AddressInfo).port}`
  const examine = async (url: string, cause: RegExp) => {
    const { stdout } = await run(['doctor'], { env: { REDIS_URL: url } })
    assert.match(stdout.split('\n').find((line) => line.includes('Redis')) ?? '', cause)
    assert.doesNotMatch(stdout, /relay-of-moths/)
  }
  const set = (...parts: string[]) => client.sendCommand(parts)
  await examine(redis.url, /✓ Redis +127\.0\.0\.1:\d+ answers and accepts writes/)
  await examine(redis.url.replace('//', '//ada:relay-of-moths@'), /✗ Redis .* refuses the login: check the user and/)
  await examine(`${redis.url}/99`, /✗ Redis .* has no database with the number/)
  await examine(
    redis.url.replace('redis:', 'rediss:'),
    /✗ Redis .* in time: if it does not use TLS, REDIS_URL must begin/,
  )
  await examine(ofTls, /✗ Redis .* has a certificate that is not valid: [A-Z_]+/)
  await examine(ofTls.replace('rediss:', 'redis:'), /✗ Redis .* closes the connection: if it uses TLS/)
  await examine('redis://nobody.invalid', /✗ Redis .* host name that cannot be resolved/)
  await set('CONFIG', 'SET', 'maxmemory', '1')
  await examine(redis.url, /✗ Redis .* is full and refuses writes: raise maxmemory/)
  await set('CONFIG', 'SET', 'maxmemory', '0')
  await set('REPLICAOF', '127.0.0.1', '1')
  await examine(redis.url, /✗ Redis .* is a replica, which refuses writes/)
})

test('doctor names the cause if the mail server cannot be used', async (t) => {
  const { run } = await openWorkplace(t)
  const sink = await startSmtpSink()
  t.after(() => sink.stop())
  const nobody = `127.0.0.1:${await freePort()}`
  for (const [url, cause] of [
    [`smtp://${nobody}`, /the mail server refused the connection: check the host and the port in SMTP_URL/],
    ['smtp://nobody.invalid', /the mail server has a host name that cannot be resolved: check SMTP_URL/],
    [sink.url.replace('smtp:', 'smtps:'), /the mail server does not begin with TLS: SMTP_URL must begin with smtp:/],
  ] as const)
    assert.match((await run(['doctor'], { env: { SMTP_URL: url } })).stdout, cause)
})

test('a database server without TLS or a valid certificate is named as such, and no library warns', async (t) => {
  const { runProcess } = await openWorkplace(t)
  const { key: tlsKey, certificate } = selfSigned()
  let hasTls = false
  // PostgreSQL answers a request for TLS with one letter.
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => {
        if (!hasTls) return void socket.end('N')
        socket.write('S')
        new TLSSocket(socket, { isServer: true, key: tlsKey, cert: certificate }).on('error', () => {})
      })
  })
  t.after(() => server.close())
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )
  const examine = async (mode: string, cause: RegExp) => {
    const DATABASE_URL = `postgres://ada:relay-of-moths@127.0.0.1:${port}/wardenry?sslmode=${mode}`
    const AUTH_SECRET = 'auth-Zk3vQ8mN1xR6tY9wL4cB7dHs2JfGpVeU'
    const env = { DATABASE_URL, AUTH_SECRET, DATA_KEYS: `1:${key}` }
    const { code, stdout, stderr } = await runProcess(['doctor'], { env })
    assert.equal(code, 1)
    assert.match(stdout, cause)
    assert.equal(stderr, '')
  }
  await examine('prefer', /✗ Database +The database server does not use TLS: .* set sslmode=disable in DATABASE_URL/)
  hasTls = true
  await examine('require', /✗ Database +The certificate of the database server is not valid: set sslrootcert/)
})

test('doctor says which host of a list is the primary', { skip: skipWithoutPostgres() }, async (t) => {
  const { run } = await openWorkplace(t)
  const [primary, other, nobody] = [await startPostgres(), await startPostgres(), `127.0.0.1:${await freePort()}`]
  t.after(() => Promise.all([primary.stop(), other.stop()]))
  const [first, second] = [primary, other].map(({ url }) => new URL(url).host)
  const examine = (hosts: string, parameters: string) =>
    run(['doctor'], {
      env: {
        DATABASE_URL: `postgres://postgres:relay-of-moths@${hosts}/postgres${parameters}`,
        AUTH_SECRET: 'auth-Zk3vQ8mN1xR6tY9wL4cB7dHs2JfGpVeU',
        DATA_KEYS: `1:${key}`,
      },
    })
  const readWrite = '?target_session_attrs=read-write'
  const two = await examine(`${first},${second}`, readWrite)
  assert.match(two.stdout, /✗ Database hosts +2 servers accept writes, so they hold different data: stop all but one/)

  await other.restartAsStandby(primary)
  const complete = await examine(`${second},${first}`, readWrite)
  assert.ok(complete.stdout.includes(`✓ Database        PostgreSQL`), complete.stdout)
  assert.ok(complete.stdout.includes(`at ${second},${first}/postgres`), complete.stdout)
  assert.match(complete.stdout, new RegExp(`✓ Database hosts +${second} is a standby\n +${first} is the primary\n`))

  const unnamed = await examine(`${first},${second}`, '')
  assert.match(unnamed.stdout, /! Database hosts +add target_session_attrs=read-write to DATABASE_URL/)

  const partial = await examine(`${nobody},${first}`, readWrite)
  assert.match(partial.stdout, /! Database hosts +not all servers answer\n/)
  assert.ok(partial.stdout.includes(`${nobody} cannot be used: connect ECONNREFUSED`), partial.stdout)

  const none = await examine(`${nobody},${second}`, readWrite)
  assert.equal(none.code, 1)
  assert.match(none.stdout, /✗ Database +No server of DATABASE_URL is usable/)
  assert.match(none.stdout, /✗ Database hosts +no server accepts writes\n/)
  for (const { stdout } of [two, complete, unnamed, partial, none]) assert.doesNotMatch(stdout, /relay-of-moths/)
})

test('doctor signs in to the mail server, and sends nothing', async (t) => {
  const { run } = await openWorkplace(t)
  const [open, closed] = await Promise.all([
    startSmtpSink(),
    startSmtpSink({ login: { user: 'ada', pass: 'relay-of-moths' } }),
  ])
  t.after(() => Promise.all([open.stop(), closed.stop()]))
  const examine = (url: string) => run(['doctor'], { env: { SMTP_URL: url } })
  const [anonymous, right, wrong] = await Promise.all([
    examine(open.url),
    examine(closed.url),
    examine(closed.url.replace('relay-of-moths', 'relay-of-wasps')),
  ])
  assert.match(anonymous.stdout, /✓ SMTP +127\.0\.0\.1:\d+ answers; SMTP_URL contains no user/)
  assert.match(right.stdout, /✓ SMTP +127\.0\.0\.1:\d+ accepts the sign-in of ada\n/)
  assert.match(
    wrong.stdout,
    /✗ SMTP +127\.0\.0\.1:\d+: the mail server answered 535 to AUTH \w+: check the user name and password/,
  )
  assert.deepEqual([anonymous.code, right.code, wrong.code], [0, 0, 1])
  for (const { stdout } of [right, wrong]) assert.doesNotMatch(stdout, /relay-of/)
  assert.deepEqual([...open.mails, ...closed.mails], [])
})

test('a silent mail server is soon reported as a problem', async (t) => {
  const { run } = await openWorkplace(t)
  const sink = await startSmtpSink()
  t.after(() => sink.stop())
  sink.failAt('connect', 'hang')
  const { code, stdout } = await run(['doctor'], { env: { SMTP_URL: sink.url } })
  assert.equal(code, 1)
  assert.match(stdout, /✗ SMTP/)
})

test('a data directory that cannot be written is a problem', { skip: process.platform === 'win32' }, async (t) => {
  const { run, directory } = await openWorkplace(t)
  const file = join(directory, 'file')
  await writeFile(file, '')
  const secrets = { AUTH_SECRET: key, DATA_KEYS: `1:${key}`, BRIDGE_SECRET: key.toLowerCase() }
  const { code, stdout } = await run(['doctor'], { env: { ...secrets, DATA_DIR: file } })
  assert.equal(code, 1)
  assert.match(stdout, /✗ Data directory +this user cannot write to \S+file\n/)
})

test('secrets that others on the machine can read are a problem', { skip: process.platform === 'win32' }, async (t) => {
  const { run, dataDir } = await openWorkplace(t)
  await mkdir(dataDir, { mode: 0o700 })
  const file = join(dataDir, 'secrets.json')
  await writeFile(file, '{}', { mode: 0o644 })
  const { code, stdout } = await run(['doctor'], { env: { DATA_DIR: dataDir } })
  assert.equal(code, 1)
  assert.match(stdout, /✗ Data directory\s+others can read \S+secrets\.json: chmod 600/)
  assert.equal(await readFile(file, 'utf8'), '{}', 'doctor changes nothing')
  assert.ok(!existsSync(join(dataDir, 'postgres')))
})

test('in production, doctor mentions the proxy, the bridge secrets and the mail server', async (t) => {
  const { run } = await openWorkplace(t)
  const BRIDGE_SECRET = 'kXv93mQz7LrT5wYc1NdB8sHfJ2gPaE4u'
  const env = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://id.example.com',
    AUTH_SECRET: 'Zk3vQ8mN1xR6tY9wL4cB7dHs2JfGpVeU',
    DATA_KEYS: `1:${Buffer.from('seven quiet river stones, a moth').toString('base64url')}`,
  }
  const { stdout } = await run(['doctor'], { env: { ...env, BRIDGE_SECRET } })
  assert.match(stdout, /✓ HTTPS/)
  for (const about of ['Session cookie', 'Bridge secrets', 'Proxies', 'Mail'])
    assert.match(stdout, new RegExp(`! ${about}\\s`))
  const named = await run(['doctor'], { env: { ...env, BRIDGE_SECRETS: `shop:${BRIDGE_SECRET}` } })
  assert.match(named.stdout, /✓ Bridge secrets +shop\n/)
})

test('module code that every user can change is reported', async (t) => {
  const { runProcess, directory, dataDir } = await openWorkplace(t)
  const folder = join(directory, 'module-notes')
  await cp(join(import.meta.dirname, '../../examples/module-notes'), folder, { recursive: true })
  const examined = () => runProcess(['doctor'], { env: { DATA_DIR: dataDir, MODULE_PATHS: folder } })
  assert.doesNotMatch((await examined()).stdout, /Module code/)
  await chmod(join(folder, 'module.json'), 0o666)
  const { code, stdout } = await examined()
  assert.equal(code, 0, stdout)
  assert.match(
    stdout,
    /! Module code\s+every user of this machine can change the code in \S+: chmod o-w \S+module\.json/,
  )
})
