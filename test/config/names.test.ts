import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { settings } from '../../src/config/settings.ts'
import { problemsOf } from './support.ts'
import '../../src/modules/index.ts'

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
    TWO_FACTOR_REQUIRED: 'TWO_FACTOR_REQUIRED_FOR',
    TWOFACTOR_METHODS: 'TWO_FACTOR_METHODS',
    SESION_IDLE: 'SESSION_IDLE_TTL',
    session_idle_ttl: 'SESSION_IDLE_TTL',
    LIMIT_LOGIN: 'RATE_LIMIT_LOGIN',
    RATE_LOGIN: 'RATE_LIMIT_LOGIN',
    WEBAUTHN_DOMAIN: 'WEBAUTHN_RP_ID or WEBAUTHN_ORIGINS',
    COMMENTS_MODERATE: 'COMMENTS_ENABLED or COMMENTS_REQUIRE_APPROVAL or COMMENTS_EDIT_WINDOW',
    COMMENT_APPROVAL: 'COMMENTS_REQUIRE_APPROVAL',
    BLOG_LANGUAGE: '',
    POST_TYPES_CACHE: 'POST_TYPES_CACHE_TTL',
    GITHUB_CLIENT_KEY: '',
    GOOGLE_CLIENT: '',
    APP_COLOUR_ACCENT: 'APP_ACCENT',
    DELETED_USERS_RETENTION: 'DELETED_RETENTION',
    DATABASE_HOST: '',
    SMTP_HOST: '',
    LOG_FORMAT: '',
    IGNORE_VARIABLES: 'IGNORED_VARIABLES',
  }
  for (const [name, suggestion] of Object.entries(meant)) {
    const [problem = '', ...more] = problemsOf({ [name]: 'x' })
    assert.deepEqual(more, [], name)
    assert.ok(problem.startsWith(`${name} is not a setting`), `${name}: ${problem}`)
    if (suggestion) assert.ok(problem.endsWith(`did you mean ${suggestion}?`), problem)
  }
})

test('every setting is distinguished from its misspellings', () => {
  const names = Object.keys(settings)
  // Misspellings of short names are not detected, because many other names are similar to them.
  const alone = ['HOST', 'PORT']
  for (const name of names.filter((one) => !alone.includes(one))) {
    assert.deepEqual(problemsOf({ [`${name}X`]: 'x' }).length, 1, `${name}X`)
  }
})

test('variables of machines, shells, CI services, containers and other programs are ignored', () => {
  const ordinary = readFileSync(join(import.meta.dirname, 'ordinary-variables.txt'), 'utf8')
    .trim()
    .split(/\s+/)
  assert.ok(ordinary.length > 500)
  assert.deepEqual(problemsOf(Object.fromEntries(ordinary.map((name) => [name, 'x']))), [])
})

test('what container platforms set for a service is left alone, whatever the service is called', () => {
  const words = new Set(Object.keys(settings).flatMap((name) => [name, name.split('_')[0] ?? '']))
  const strangers = [...words].flatMap((word) => [
    `${word}_SERVICE_HOST`,
    `${word}_SERVICE_PORT`,
    `${word}_SERVICE_PORT_HTTP`,
    `${word}_PORT`,
    `${word}_PORT_80_TCP`,
    `${word}_PORT_80_TCP_ADDR`,
    `${word}_PORT_53_UDP_PROTO`,
    `APPSETTING_${word}`,
    `NEXT_PUBLIC_${word}`,
    `TEST_${word}_URL`,
  ])
  const foreign = strangers.filter((name) => !(name in settings))
  assert.deepEqual(problemsOf(Object.fromEntries(foreign.map((name) => [name, 'x']))), [])
})

test('a variable of another program is left alone when IGNORED_VARIABLES names it', () => {
  const environment = { SMTP_HOST: 'x', LOG_FORMAT: 'x', LOG_COLOUR: 'x', SESSION_IDEL_TTL: 'x' }
  assert.equal(problemsOf(environment).length, 4)
  const [problem = '', ...more] = problemsOf({ ...environment, IGNORED_VARIABLES: 'SMTP_HOST, LOG_*' })
  assert.deepEqual(more, [])
  assert.match(
    problem,
    /^SESSION_IDEL_TTL is not a setting .+add it to IGNORED_VARIABLES.+did you mean SESSION_IDLE_TTL\?$/,
  )
})
