import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settings } from '../../src/config/settings.ts'
import { problemsOf } from './support.ts'

test('a name of ours that does not exist stops the start, with the one that was meant', () => {
  const meant: Record<string, string> = {
    RATE_LIMIT_LOGINS: 'RATE_LIMIT_LOGIN',
    SESSION_IDLE_TIMEOUT: '',
    SESSION_IDLE_TLL: 'SESSION_IDLE_TTL',
    BRIDGE_SECRET_: 'BRIDGE_SECRET',
    BRIDGE_ALLOWED_ORIGIN: 'BRIDGE_ALLOWED_ORIGINS',
    TRUSTED_PROXY: 'TRUSTED_PROXIES',
    DATABASE_URI: 'DATABASE_URL',
    AUTH_SECRETS: 'AUTH_SECRET',
    PEPPER: 'PEPPERS',
    METRICS_TOKEN_FLIE: 'METRICS_TOKEN_FILE',
    LOG_LEVL: 'LOG_LEVEL',
    SESION_IDLE_TTL: 'SESSION_IDLE_TTL',
    APP_NAM: 'APP_NAME',
    APPNAME: 'APP_NAME',
    DEFUALT_LANG: 'DEFAULT_LANG',
    AUHT_SECRET_FILE: 'AUTH_SECRET_FILE',
  }
  for (const [name, suggestion] of Object.entries(meant)) {
    const [problem = '', ...more] = problemsOf({ [name]: 'x' })
    assert.deepEqual(more, [], name)
    assert.ok(problem.startsWith(`${name} is not a setting`), problem)
    if (suggestion) assert.ok(problem.endsWith(`did you mean ${suggestion}?`), problem)
  }
})

test('every setting is told apart from its own misspellings', () => {
  const names = Object.keys(settings)
  // Too short: strangers look like them.
  const alone = ['HOST', 'PORT']
  for (const name of names.filter((one) => !alone.includes(one))) {
    assert.deepEqual(problemsOf({ [`${name}X`]: 'x' }).length, 1, `${name}X`)
  }
})

test('names that container platforms set by themselves, and those of others, are left alone', () => {
  const strangers = [
    'REDIS_SERVICE_HOST',
    'REDIS_SERVICE_PORT',
    'REDIS_SERVICE_PORT_CLIENT',
    'REDIS_PORT',
    'REDIS_PORT_6379_TCP',
    'REDIS_PORT_6379_TCP_ADDR',
    'DATABASE_PORT_5432_TCP_PROTO',
    'AUTH_SERVICE_HOST',
    'SESSION_SERVICE_PORT_HTTP',
    'PATH',
    'HOME',
    'HOSTNAME',
    'KUBERNETES_SERVICE_HOST',
    'NODE_OPTIONS',
    'npm_config_cache',
    'TZ',
    'LANG',
    'PGHOST',
    'POSTGRES_PASSWORD',
    'DATABASES',
    'HOSTS',
    'PORTS',
    'APP_HOME',
    'APP_BASE_URL',
    'HTTP_URL',
    'NODE_PATH',
    'LOGNAME',
    'MAIL',
    'MAILTO',
  ]
  assert.deepEqual(problemsOf(Object.fromEntries(strangers.map((name) => [name, 'x']))), [])
})
