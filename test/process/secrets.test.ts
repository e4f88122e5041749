import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { call, loginAt, newDeployment, registerAt, validateAt } from '../nodes/nodes.ts'
import { startService, written } from '../support/child.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { person } from '../support/people.ts'
import { skipWithoutPostgres, startPostgres } from '../support/postgres.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'

async function newDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'wardenry-secrets-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  return directory
}

test('without any setting a second start finds the secrets, people and sessions of the first', async (t) => {
  const DATA_DIR = await newDirectory(t)
  const bridgeSecrets: string[] = []
  let sessionToken = ''
  for (let start = 0; start < 2; start++) {
    const service = await startService({ DATA_DIR })
    const secret = (await written(service, /Bridge secret +([\w-]{43})\n/))[1]!
    bridgeSecrets.push(secret)
    sessionToken ||= (await registerAt(service.url)).sessionToken
    const reply = await call(`${service.url}/auth/bridge/validate`, {
      body: { session_id: sessionToken },
      headers: { 'x-bridge-secret': secret },
    })
    assert.equal(reply.status, 200)
    assert.equal(await service.stop(), 0)
  }
  assert.equal(bridgeSecrets[0], bridgeSecrets[1])
})

const production = () => ({
  ...newDeployment(),
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://auth.example.com',
  BRIDGE_SECRET: randomBytes(32).toString('base64url'),
})

test('production has no development inbox, in no place, and no development address', async (t) => {
  const DATA_DIR = await newDirectory(t)
  const service = await startService({ ...production(), DATA_DIR })
  t.after(() => service.kill())
  await registerAt(service.url)
  await fixedWait(1_500, 'an inbox must not appear after the mail was sent')
  for (const path of ['/dev/inbox', '/dev/inbox.json', '/dev', '/dev/inbox/']) {
    assert.equal((await fetch(`${service.url}${path}`)).status, 404)
  }
  assert.deepEqual(
    (await readdir(DATA_DIR)).filter((name) => /inbox|secrets/.test(name)),
    [],
  )
  assert.doesNotMatch(service.output(), /localhost|is ready|Bridge secret/)
})

test('everything that a run has logged at its most verbose holds none of its secrets', {
  skip: skipWithoutPostgres(),
}, async (t) => {
  const server = await startPostgres()
  t.after(server.stop)
  const sink = await startSmtpSink({ login: { user: 'mail-user', pass: 'canary/of the+mailer' } })
  t.after(sink.stop)
  const secrets: string[] = []
  const secret = <Value extends string>(value: Value): Value => {
    secrets.push(value)
    return value
  }
  const settings = production()
  for (const name of ['AUTH_SECRET', 'DATA_KEYS', 'BRIDGE_SECRET'] as const) secret(settings[name].replace(/^1:/, ''))
  const database = new URL(await server.createDatabase())
  database.password = secret('canary-of-the-database')
  secret('canary/of the+mailer')
  const service = await startService({
    ...settings,
    DATABASE_URL: database.href,
    SMTP_URL: sink.url,
    LOG_LEVEL: 'trace',
    LOG_REQUESTS: 'all',
    METRICS_TOKEN: secret('canary-of-the-metrics'),
    ADMIN_EMAIL: 'grace@example.com',
    ADMIN_PASSWORD: secret('canary of the first admin'),
    AUTO_MIGRATE: 'true',
  })
  t.after(() => service.kill())
  await live(service.url, settings.BRIDGE_SECRET, secret)
  const mail = await sink.waitFor('ada@canary.example')
  const token = secret(/token=([\w-]{43})/.exec(mail.text)?.[1] ?? '')
  await call(`${service.url}/auth/token/verify?token=${token}&format=json`)
  await call(`${service.url}/auth/token/verify`, { body: { token } })
  sink.failAt('to', 451)
  await call(`${service.url}/auth/register/public`, {
    body: { ...person(), password: secret('canary in the orchard') },
  })
  await written(service, /could not deliver a message yet/)
  await server.kill()
  await live(service.url, settings.BRIDGE_SECRET, secret)
  await fixedWait(1_500, 'the service logs what fails without its database')
  await service.stop()

  const log = service.output()
  assert.ok(log.split('\n').length > 50)
  for (const word of ['request refused', '"msg":"request"']) assert.ok(log.includes(word), word)
  for (const value of secrets) {
    assert.ok(value.length >= 16)
    const spellings = [
      value,
      encodeURIComponent(value),
      JSON.stringify(value).slice(1, -1),
      Buffer.from(value).toString('base64').replace(/=+$/, ''),
    ]
    for (const spelling of spellings) assert.equal(log.includes(spelling), false, `${spelling} in the log`)
  }
})

/** Sends requests with correct and wrong secrets in every place where the service accepts one. */
async function live(url: string, bridgeSecret: string, secret: (value: string) => string): Promise<void> {
  const password = secret('canary river stones')
  const ada = { ...person(), email: 'ada@canary.example', password }
  const { json } = await call(`${url}/auth/register/public`, { body: ada })
  const sessionToken = secret(json.sessionId ?? `ses_${randomBytes(32).toString('base64url')}`)
  await loginAt(url, { ...ada, password: secret('canary of a wrong password') })
  await loginAt(url, { email: secret('canary password as the login'), password })
  const signedIn = await loginAt(url, ada)
  if (signedIn.json.sessionId) secret(signedIn.json.sessionId)
  const headers = { 'x-session-id': sessionToken }
  await call(`${url}/auth/me`, { headers: { cookie: `session_id=${sessionToken}` } })
  await call(`${url}/auth/me?session_id=${sessionToken}`)
  await call(`${url}/auth/no-such-path/${sessionToken}?token=${sessionToken}`, { headers })
  await validateAt(url, sessionToken)
  await call(`${url}/auth/bridge/validate`, {
    body: { session_id: sessionToken },
    headers: { 'x-bridge-secret': bridgeSecret },
  })
  await call(`${url}/auth/login`, { body: { password: [password], secret: password, nested: { password } } })
  await call(`${url}/metrics`, { headers: { authorization: `Bearer ${secret('canary-of-wrong-metrics')}` } })
  await call(`${url}/auth/logout`, { method: 'POST', headers })
}
