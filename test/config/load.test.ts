import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Setting } from '../../src/config/kinds.ts'
import { ConfigError } from '../../src/config/load.ts'
import { settings } from '../../src/config/settings.ts'
import { day, hour, minute, second } from '../../src/lib/time.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { load, problemsOf } from './support.ts'
import '../../src/modules/index.ts'

const all = Object.entries<Setting<unknown>>(settings)

test('without any setting the service starts for development, and what follows from others is filled in', () => {
  const config = load()
  assert.equal(config.NODE_ENV, 'development')
  assert.deepEqual([config.HOST, config.PORT], ['127.0.0.1', 3000])
  assert.equal(config.PUBLIC_URL, 'http://localhost:3000')
  assert.equal(config.FRONTEND_URL, config.PUBLIC_URL)
  assert.equal(load({ PORT: '8080' }).FRONTEND_URL, 'http://localhost:8080')
  assert.equal(config.HASH_CONCURRENCY, availableParallelism())
  assert.equal(config.ADMIN_SESSION_IDLE_TTL, 7 * day)
  assert.equal(load({ SESSION_IDLE_TTL: '1d' }).ADMIN_SESSION_IDLE_TTL, day)
  assert.equal(load({ ADMIN_SESSION_IDLE_TTL: '30m' }).ADMIN_SESSION_IDLE_TTL, 30 * minute)
  assert.equal(config.isProduction, false)
})

test('opening a link does not register users if only back ends may', () => {
  const both = { TOKEN_LOGIN_AUTO_REGISTER: 'true', REGISTRATION_REQUIRES_BRIDGE: 'true' }
  assert.match(problemsOf(both).join(), /TOKEN_LOGIN_AUTO_REGISTER .* requires TOKEN_LOGIN_REQUIRES_BRIDGE/)
  assert.equal(load({ ...both, TOKEN_LOGIN_REQUIRES_BRIDGE: 'true' }).TOKEN_LOGIN_AUTO_REGISTER, true)
})

test('the defaults are those that the contract names', () => {
  const config = load()
  assert.deepEqual(
    [config.SESSION_IDLE_TTL, config.SESSION_ABSOLUTE_TTL, config.PARTIAL_SESSION_TTL],
    [7 * day, 30 * day, 5 * minute],
  )
  assert.deepEqual(
    [config.SESSION_MAX_PER_USER, config.SESSION_BINDING, config.SESSION_VALIDATION_CACHE_TTL],
    [50, 'log', 5 * second],
  )
  assert.deepEqual(
    [config.SESSION_COOKIE_NAME, config.COOKIE_SAMESITE, config.ALLOW_QUERY_SESSION],
    ['session_id', 'auto', true],
  )
  assert.deepEqual(
    [config.REGISTRATION_ENABLED, config.REGISTRATION_REQUIRES_BRIDGE, config.REGISTRATION_REVEAL],
    [true, false, 'compat'],
  )
  assert.deepEqual(
    [config.VERIFY_REGISTRATION, config.CLIENT_COMPAT, config.PASSWORD_PROFILE],
    [false, false, 'compat'],
  )
  assert.deepEqual(
    [config.ARGON2_MEMORY_KIB, config.ARGON2_TIME, config.ARGON2_PARALLELISM, config.HASH_QUEUE],
    [19_456, 2, 1, 64],
  )
  assert.deepEqual([config.LOCKOUT_MAX_FAILURES, config.LOCKOUT_DURATION, config.VERIFY_EMAIL_TTL], [100, day, day])
  assert.deepEqual(
    [config.CORS_ORIGINS, config.TRUSTED_PROXIES, config.BRIDGE_ALLOWED_ORIGINS, config.USER_TYPES],
    [[], [], [], []],
  )
  assert.deepEqual(
    [config.LOG_LEVEL, config.LOG_REQUESTS, config.AUTO_MIGRATE, config.SHUTDOWN_TIMEOUT],
    ['info', 'errors', true, 15 * second],
  )
})

test('a further user type cannot have the name of a role with rights', () => {
  for (const name of ['admin', 'superadmin', 'support'])
    assert.match(problemsOf({ USER_TYPES: name }).join('\n'), /already has the right/)
})

test('limits are those of production there, and 100 times as high elsewhere unless they are set', () => {
  const limits = {
    LOGIN: [5, 15 * minute],
    REGISTRATION: [3, hour],
    TOKEN_LOGIN: [10, 10 * minute],
    TOKEN_VALIDATE: [20, 5 * minute],
    CACHE_INVALIDATION: [10, 5 * minute],
    READ: [600, minute],
    WRITE: [120, minute],
    BRIDGE: [100_000, minute],
    BRIDGE_FAIL: [20, 5 * minute],
  }
  const production = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://auth.example.com',
    AUTH_SECRET: randomBytes(32).toString('base64'),
    DATA_KEYS: `1:${randomBytes(32).toString('base64')}`,
    BRIDGE_SECRET: randomBytes(32).toString('base64'),
  }
  const known = Object.keys(settings).filter((name) => name.startsWith('RATE_LIMIT_'))
  assert.deepEqual(load(production).relaxed, [])
  for (const mode of [{}, { NODE_ENV: 'development' }, { NODE_ENV: 'test' }]) {
    assert.deepEqual(load(mode).relaxed, known)
    const set = load({ ...mode, RATE_LIMIT_LOGIN: '5/15m' })
    assert.deepEqual(set.RATE_LIMIT_LOGIN, { attempts: 5, windowMs: 15 * minute })
    assert.ok(!set.relaxed.includes('RATE_LIMIT_LOGIN'))
  }
  for (const [name, [attempts = 0, windowMs]] of Object.entries(limits)) {
    const limitIn = (environment: Record<string, string>) =>
      load(environment)[`RATE_LIMIT_${name}` as 'RATE_LIMIT_LOGIN']
    assert.deepEqual(limitIn(production), { attempts, windowMs }, name)
    assert.deepEqual(limitIn({}), { attempts: 100 * attempts, windowMs }, name)
  }
})

test('an empty value is no value, and the result cannot be changed', () => {
  const config = load(Object.fromEntries(all.filter(([name]) => name !== 'DATA_DIR').map(([name]) => [name, ''])))
  assert.equal(config.PORT, 3000)
  assert.throws(() => Object.assign(config, { PORT: 1 }))
})

test('all problems are reported at once, by name', () => {
  const wrong = {
    PORT: '70000',
    LOG_LEVEL: 'loud',
    AUTO_MIGRATE: 'yes',
    SESSION_IDLE_TTL: '1 week',
    REDIS_URL: 'http://x',
    CORS_ORIGINS: '*',
    BRIDGE_SECRET: 'short',
  }
  const problems = problemsOf(wrong)
  assert.equal(problems.length, Object.keys(wrong).length)
  for (const name of Object.keys(wrong))
    assert.ok(
      problems.some((one) => one.startsWith(`${name} `)),
      name,
    )
  assert.match(new ConfigError(problems).message, /^The configuration has 7 problems:\n( {2}- .+\n?){7}$/)
  assert.match(new ConfigError(['x']).message, /has a problem/)
})

test('no setting of any kind accepts nonsense', () => {
  const takesText =
    'HOST DATA_DIR APP_NAME BLOG_TITLE OIDC_NAME OTEL_SERVICE_NAME METRICS_TOKEN AUTH_SECRET MAIL_FROM SMS_WEBHOOK_SECRET TWILIO_AUTH_TOKEN'.split(
      ' ',
    )
  for (const [name] of all) {
    if (takesText.includes(name)) continue
    assert.notDeepEqual(problemsOf({ [name]: '\u0000 %%% nonsense' }), [], name)
  }
})

test('limits, counts and durations have an end on both sides: nothing is unlimited', () => {
  const never = ['-1', 'off', 'none', 'unlimited', 'Infinity', '1e9', '0x10', '99999999999', '٥']
  const noLimit = [
    '0',
    '5',
    '0/15m',
    '5/0s',
    'off/15m',
    '5/',
    '/15m',
    '5/15',
    '5/25h',
    '10000001/1m',
    '-5/15m',
    '5.5/15m',
    '5/15m/1',
  ]
  for (const [name, { type }] of all) {
    const refused = type === 'attempts/window' ? [...never, ...noLimit] : type.includes('–') ? never : []
    for (const value of refused) assert.equal(problemsOf({ [name]: value }).length, 1, `${name}=${value}`)
  }
})

test('a secret is read from a file too, and a file that is missing, empty or beside a value is a problem', () => {
  const file = join(temporaryDirectory('config'), 'secret')
  const secret = 'Zk3vQ8mN1xR6tY9wL4cB7dHs2JfGpVeU'
  writeFileSync(file, `${secret}\n`)
  assert.equal(load({ AUTH_SECRET_FILE: file }).AUTH_SECRET, secret)
  assert.equal(load({ BRIDGE_VALIDATION_SECRET_FILE: file }).BRIDGE_SECRET, secret)
  assert.deepEqual(load({ BRIDGE_SECRETS_FILE: writeBeside(file, `shop:${secret}`) }).BRIDGE_SECRETS, [
    { name: 'shop', value: secret },
  ])
  assert.match(
    problemsOf({ AUTH_SECRET: secret, AUTH_SECRET_FILE: file }).join(),
    /AUTH_SECRET and AUTH_SECRET_FILE are both set/,
  )
  assert.match(
    problemsOf({ AUTH_SECRET_FILE: `${file}-missing` }).join(),
    /AUTH_SECRET_FILE points to a file that cannot be read/,
  )
  assert.match(
    problemsOf({ AUTH_SECRET_FILE: writeBeside(file, ' \n') }).join(),
    /AUTH_SECRET_FILE points to an empty file/,
  )
  assert.match(problemsOf({ PORT_FILE: file, LOG_LEVEL_FILE: file }).join(), /LOG_LEVEL_FILE is not a setting/)
  const secretNames = all.filter(([, setting]) => setting.secret).map(([name]) => name)
  for (const name of [
    'DATABASE_URL',
    'REDIS_URL',
    'METRICS_TOKEN',
    'BRIDGE_SECRET',
    'BRIDGE_SECRETS',
    'DATA_KEYS',
    'AUTH_SECRET',
    'PEPPERS',
    'SMTP_URL',
    'SMS_WEBHOOK_SECRET',
    'TWILIO_AUTH_TOKEN',
    'ADMIN_PASSWORD',
  ]) {
    assert.ok(secretNames.includes(name), name)
  }
})

function writeBeside(file: string, text: string): string {
  const other = `${file}-${text.length}`
  writeFileSync(other, text)
  return other
}

test('another name of a setting means the same, and two that differ are a problem', () => {
  assert.equal(load({ API_BASE_URL: 'https://auth.example.com/' }).PUBLIC_URL, 'https://auth.example.com')
  assert.equal(
    load({ API_BASE_URL: 'https://a.example', PUBLIC_URL: 'https://a.example' }).PUBLIC_URL,
    'https://a.example',
  )
  assert.match(
    problemsOf({ API_BASE_URL: 'https://a.example', PUBLIC_URL: 'https://b.example' }).join(),
    /PUBLIC_URL and its other name API_BASE_URL differ/,
  )
})

test('no problem shows the value of a secret', () => {
  const canary = 'canary\u0007'
  const secrets = Object.fromEntries(all.filter(([, setting]) => setting.secret).map(([name]) => [name, canary]))
  const problems = problemsOf({
    ...secrets,
    BRIDGE_VALIDATION_SECRET: `${canary}2`,
    DATA_KEYS: `1:${canary},1:${canary}`,
    ADMIN_EMAIL: '',
  })
  assert.ok(problems.length >= 8)
  assert.doesNotMatch(problems.join('\n'), /canary/)
})

test('STORAGE_URL names a folder, a bucket of any store, or nothing', () => {
  assert.deepEqual(load().STORAGE_URL, { kind: 'local' })
  assert.deepEqual(load({ STORAGE_URL: 'off' }).STORAGE_URL, { kind: 'off' })
  const key = { accessKeyId: 'AKID', secretAccessKey: 'a/b+c=' }
  for (const [url, endpoint, region] of [
    ['s3://AKID:a%2Fb%2Bc%3D@s3.example.com/pictures', 'https://s3.example.com/pictures', 'us-east-1'],
    ['s3://AKID:a%2Fb%2Bc%3D@s3.example.com/b/in/here/?region=auto', 'https://s3.example.com/b/in/here', 'auto'],
    ['s3://AKID:a%2Fb%2Bc%3D@minio:9000/b?region=eu-1&tls=false', 'http://minio:9000/b', 'eu-1'],
  ])
    assert.deepEqual(load({ STORAGE_URL: url }).STORAGE_URL, { kind: 's3', endpoint, region, ...key })
  for (const wrong of [
    'local',
    '/var/pictures',
    'https://s3.example.com/b',
    's3://s3.example.com/b',
    's3://AKID@s3.example.com/b',
    's3://AKID:secret@s3.example.com',
    's3://AKID:secret@s3.example.com/b/../c?x=1',
    's3://AKID:secret@s3.example.com/b?tls=no',
    's3://AKID:secret@s3.example.com/b?reigon=eu',
    's3://AKID:%ff@s3.example.com/b',
    's3://AKID:secret@/b',
  ]) {
    const problems = problemsOf({ STORAGE_URL: wrong })
    assert.equal(problems.length, 1, wrong)
    assert.match(problems[0] ?? '', /^STORAGE_URL must be local:, off, or s3:/)
    assert.ok(!problems[0]?.includes('AKID'))
  }
})

test('the address and the headers of a collector are those that can be sent', () => {
  const refused = [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test/x?key=abc' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://bob:secret@collector.test' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'a=%FF' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'a=x%0Ay' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'a=%E2%82%AC' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'a' },
  ]
  for (const environment of refused) {
    const [name] = Object.keys(environment)
    assert.match(problemsOf(environment).join('\n'), new RegExp(`^${name} `), JSON.stringify(environment))
  }
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = load({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test:4318//',
  })
  assert.equal(endpoint, 'http://collector.test:4318')
})
