import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newCheckedSecret } from '../../src/lib/checked-secret.ts'
import { newSecret, newSessionToken } from '../../src/lib/ids.ts'
import { createLogger, type Logger } from '../../src/lib/log.ts'
import { addWriteOnlyNames } from '../../src/lib/write-only.ts'

const databaseUrl = 'postgres://wardenry:p%40ss-of-database@db.example.com/auth'
const bridgeSecret = 'bridge "quoted" \\ secret/of+32 characters'

/** A logger, and a function that returns its output. */
function recorder(level = 'trace'): { log: Logger; written: () => string } {
  const lines: string[] = []
  const log = createLogger(level, [databaseUrl, bridgeSecret, 'short'], (line) => lines.push(line))
  return { log, written: () => lines.join('') }
}

// Registers names of write-only members, as modules do.
addWriteOnlyNames(['acquisition*', 'team_size_range'])

const canary = 'canary of a password'
const names = [
  'password',
  'new_password',
  'newPassword',
  'current_password',
  'token',
  'code',
  'secret',
  'seed',
  'sessionToken',
  'sealed',
  'payload',
  'session_id',
  'sessionId',
  'acquisition_source',
  'acquisitionAnything',
  'teamSizeRange',
]
const headers = [
  'authorization',
  'Authorization',
  'cookie',
  'Set-Cookie',
  'set-cookie',
  'x-session-id',
  'X-Session-ID',
  'x-bridge-secret',
  'x-oauth-flow',
]

test('members that hold a secret are hidden, at any depth, in lists and in errors', () => {
  for (const name of [...names, ...headers]) {
    const { log, written } = recorder()
    const member = { [name]: canary }
    log.info(member)
    log.info({ [name]: [canary, { deeper: canary }] })
    log.info({ request: { body: member } })
    log.info({ a: { b: { c: { d: { e: [{ f: member }] } } } } })
    log.error(Object.assign(new Error('refused'), member))
    log.error({ err: Object.assign(new Error('refused'), { config: { headers: member } }) })
    log.error({ err: new Error('outer', { cause: Object.assign(new Error('inner'), member) }) })
    log.error({ err: new AggregateError([Object.assign(new Error('one'), member)], 'several') })
    log.warn({ failure: Object.assign(new Error('under another name'), { deep: { er: member } }) })
    assert.ok(!written().includes(canary), `${name}: ${written()}`)
    assert.ok(written().includes('[redacted]'), name)
  }
})

test('what a database adds to an error is hidden: it holds the row that was refused', () => {
  for (const name of ['detail', 'where', 'internalQuery', 'query', 'parameters', 'params']) {
    const { log, written } = recorder()
    const inner = Object.assign(new Error('violates a constraint'), { [name]: `Failing row contains (${canary})` })
    log.error({ err: inner })
    log.error({ err: new Error('outer', { cause: inner }) })
    log.error({ err: new AggregateError([inner], 'several') })
    assert.ok(!written().includes(canary) && written().includes('violates a constraint'), name)
    log.info({ [name]: 'of something else' })
    assert.ok(written().includes('of something else'), name)
  }
})

test('the code by which the system and PostgreSQL name an error stays, and one that was sent to somebody does not', () => {
  const { log, written } = recorder()
  for (const code of ['ECONNREFUSED', 'ERR_HTTP_REQUEST_TIMEOUT', '40P01', '23505', 'POOL_BUSY']) {
    log.error({ err: Object.assign(new Error('refused'), { code }) })
    assert.match(written(), new RegExp(`"code":"${code}"`))
  }
  for (const code of ['123456', 123456, 'Xy7-kQ2m', 'canary-of-a-code']) {
    log.error({ err: Object.assign(new Error('refused'), { code }) })
    log.error({ code })
    assert.ok(!written().includes(String(code)))
  }
  log.info({ code: 'ECONNREFUSED' })
  assert.match(written(), /"code":"\[redacted\]"[^\n]*\n$/)
})

test('bearer values and one-time secrets are cut out wherever they stand', () => {
  const [session, secret, ofApplication] = [newSessionToken(), newSecret(), newCheckedSecret('wbs_')]
  const { log, written } = recorder()
  for (const value of [session, secret, ofApplication]) {
    log.info(`a text with ${value} inside`)
    log.info({ value, list: [value], text: `"${value}"`, path: `/auth/x/${value}/y`, [value]: 1 })
    log.info({ text: `first line\n${value}\ttab\r${value}\u0001${value}` })
    log.info({
      url: `/login?next=%2Fverify%3Ftoken%3D${value}%26a%3Db`,
      referer: `https://x.test/?token=${value}&a=b#${value}`,
    })
    log.info({
      url: encodeURIComponent(`/verify?token=${value}`),
      twice: encodeURIComponent(encodeURIComponent(`?token=${value}`)),
    })
    log.error(new Error(`no row for ${value}`, { cause: new Error(`in (${value})`) }))
    log.error({ err: Object.assign(new Error('x'), { query: `SELECT '${value}'`, parameters: [value] }) })
  }
  for (const value of [session, secret, session.slice(4), ofApplication, ofApplication.slice(4)])
    assert.ok(!written().includes(value), written())
})

test('secrets in an address are cut out by the name of their parameter, also short ones', () => {
  const { log, written } = recorder()
  for (const name of ['session_id', 'sessionId', 'token', 'code', 'state', 'TOKEN']) {
    log.info({ url: `/auth/x?a=b&${name}=${name}-canary&c=kept` })
    log.info(`GET /auth/x?${name}=${name}-canary HTTP/1.1`)
    log.info({ referer: encodeURIComponent(`https://x.test/?${name}=${name}-canary&c=kept`) })
  }
  assert.doesNotMatch(written(), /canary/)
  assert.match(written(), /&c=kept/)
  assert.match(written(), /%26c%3Dkept/)
})

test('values of the configuration are cut out however they are written', () => {
  const { log, written } = recorder()
  for (const secret of [databaseUrl, bridgeSecret, 'p@ss-of-database', 'p%40ss-of-database']) {
    log.info(`with ${secret}`)
    log.info({ deep: { er: [secret, encodeURIComponent(secret)] }, err: new Error(secret) })
    log.info({ basic: Buffer.from(secret).toString('base64') })
  }
  for (const part of [
    'of-database',
    'quoted',
    'of+32',
    'of%2B32',
    Buffer.from('p@ss-of-').toString('base64').slice(0, -2),
  ]) {
    assert.ok(!written().includes(part), `${part} in ${written()}`)
  }
  log.info('short words stay')
  assert.match(written(), /short words stay/)
})

test('what is no secret stays readable, and no value stops the log', () => {
  const { log, written } = recorder()
  const circle: Record<string, unknown> = { name: 'circle' }
  circle.self = circle
  log.info(
    {
      request_id: 'abc-1',
      status: 401,
      error_code: 'INVALID_CREDENTIALS',
      time: new Date(0),
      nothing: null,
      gone: undefined,
      circle,
    },
    'refused',
  )
  log.error({ err: Object.assign(new Error('not ready'), { circle }), big: 10n ** 20n, list: new Set([1]) }, 'failed')
  const [first = '', second = ''] = written().split('\n')
  assert.match(
    first,
    /"request_id":"abc-1","status":401,"error_code":"INVALID_CREDENTIALS","time":"1970-01-01T00:00:00.000Z","nothing":null/,
  )
  assert.match(second, /"type":"Error","message":"not ready","stack":"Error: not ready\\n/)
})

test('one event is one line, whatever its fields contain', () => {
  const { log, written } = recorder('info')
  log.info({ name: 'a\n{"level":60,"msg":"forged"}\r\n\u2028', 'a\nb': 1 }, 'text\nwith\nbreaks')
  log.debug('below the level')
  const lines = written().trimEnd().split(/\r|\n/)
  assert.equal(lines.length, 1)
  assert.equal(JSON.parse(lines[0] ?? '').level, 30)
})

test('what PostgreSQL and the system call an error stays readable, also in a copy of the error', () => {
  const known = [
    { code: '25006', severity: 'ERROR' },
    { code: '57P01' },
    { code: 'ECONNREFUSED', errno: -111, syscall: 'connect' },
    { code: 'EPIPE', errno: -32, syscall: 'write' },
  ]
  for (const members of known) {
    const error = Object.assign(new Error('refused'), members, { detail: `Failing row contains (${canary})` })
    for (const given of [error, { ...error, message: error.message, stack: error.stack }]) {
      const { log, written } = recorder()
      log.error({ err: given })
      log.error({ deep: { er: given } })
      for (const line of written().trimEnd().split('\n')) {
        const { err, deep } = JSON.parse(line)
        const shown = err ?? deep.er
        for (const [name, value] of Object.entries(members)) assert.equal(shown[name], value, line)
      }
      assert.ok(!written().includes(canary), written())
    }
  }
  const { log, written } = recorder()
  log.error({ code: 'A1B2C', err: Object.assign(new Error('x'), { code: '482913' }), body: { code: 'A1B2C' } })
  assert.doesNotMatch(written(), /482913|A1B2C/)
})

test('the password of an address with several database hosts is cut out of every line', () => {
  for (const address of [
    'postgres://wardenry:tiger%2Fmoths@a:5432,b:5433/auth?target_session_attrs=read-write',
    'postgres://a:5432,b:5433/auth?user=wardenry&password=tiger%2Fmoths&target_session_attrs=read-write',
  ]) {
    const lines: string[] = []
    const log = createLogger('trace', [address], (line) => lines.push(line))
    log.info(address)
    log.info({ text: 'no login with tiger%2Fmoths', err: new Error('no login with tiger/moths') })
    assert.equal(lines.length, 2)
    assert.doesNotMatch(lines.join(''), /tiger/)
  }
})
