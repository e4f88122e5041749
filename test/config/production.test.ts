import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { load, problemsOf } from './support.ts'

const secret = (): string => randomBytes(32).toString('base64')
const good = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://auth.example.com',
  AUTH_SECRET: secret(),
  DATA_KEYS: `1:${secret()}`,
  BRIDGE_SECRET: secret(),
}

test('production starts with an https URL and its own secrets, and listens on all interfaces', () => {
  const config = load(good)
  assert.equal(config.isProduction, true)
  assert.equal(config.HOST, '0.0.0.0')
  assert.deepEqual(config.generated, [])
  assert.equal(load({ ...good, HOST: '127.0.0.1' }).HOST, '127.0.0.1')
})

test('production never generates secrets, and reports all that are missing', () => {
  const problems = problemsOf({ NODE_ENV: 'production' })
  for (const name of ['PUBLIC_URL', 'AUTH_SECRET', 'DATA_KEYS', 'BRIDGE_SECRET']) {
    assert.ok(
      problems.some((one) => one.startsWith(`${name} is required in production`)),
      name,
    )
  }
  assert.equal(problems.length, 4)
})

test('named bridge secrets stand in for the single one', () => {
  const config = load({ ...good, BRIDGE_SECRET: undefined, BRIDGE_SECRETS: `shop:${secret()}` })
  assert.equal(config.BRIDGE_SECRET, undefined)
  assert.deepEqual(
    config.BRIDGE_SECRETS.map(({ name }) => name),
    ['shop'],
  )
})

test('production refuses plain http and origins that anybody can have', () => {
  for (const [change, expected] of [
    [{ PUBLIC_URL: 'http://auth.example.com' }, /PUBLIC_URL must be https/],
    [{ FRONTEND_URL: 'http://app.example.com' }, /FRONTEND_URL must be https/],
    [{ CORS_ORIGINS: 'https://a.example,http://b.example' }, /CORS_ORIGINS must be https/],
    [{ CORS_ORIGINS: '*' }, /CORS_ORIGINS "\*" is not an origin/],
    [{ CORS_ORIGINS: 'null' }, /CORS_ORIGINS "null" is not an origin/],
    [{ CORS_ORIGINS: 'https://*.example.com' }, /CORS_ORIGINS "https:\/\/\*\.example\.com" is not an origin/],
    [{ ALLOWED_REDIRECTS: 'https://*.example.com' }, /ALLOWED_REDIRECTS "https:\/\/\*\.example\.com" is neither/],
    [{ ALLOWED_REDIRECTS: 'https://a.example/*' }, /ALLOWED_REDIRECTS "https:\/\/a\.example\/\*" is neither/],
    [{ ALLOWED_REDIRECTS: 'https://a.example/app?x=1' }, /ALLOWED_REDIRECTS "[^"]*" is neither/],
    [{ ALLOWED_REDIRECTS: 'https://user@a.example/app' }, /ALLOWED_REDIRECTS "[^"]*" is neither/],
    [{ ALLOWED_REDIRECTS: 'https://a.example/app/../b' }, /ALLOWED_REDIRECTS "[^"]*" is neither/],
    [{ ALLOWED_REDIRECTS: 'https://a.example/app/%2e%2e%2fb' }, /ALLOWED_REDIRECTS "[^"]*" is neither/],
    [{ ALLOWED_REDIRECTS: 'ftp://' }, /ALLOWED_REDIRECTS "ftp:\/\/" is neither/],
    [{ ALLOWED_REDIRECTS: 'javascript:' }, /ALLOWED_REDIRECTS "javascript:" is neither/],
    [{ BRIDGE_ALLOWED_ORIGINS: '*' }, /BRIDGE_ALLOWED_ORIGINS "\*" is not an origin/],
    [{ TRUSTED_PROXIES: '0.0.0.0/0' }, /TRUSTED_PROXIES "0\.0\.0\.0\/0" includes every address/],
    [{ TRUSTED_PROXIES: '10.0.0.0/8, ::/0' }, /TRUSTED_PROXIES "::\/0" includes every address/],
  ] as const) {
    assert.match(problemsOf({ ...good, ...change }).join(), expected)
  }
})

test('the key of the service is not one that back ends know', () => {
  for (const change of [{ BRIDGE_SECRET: good.AUTH_SECRET }, { BRIDGE_SECRETS: `shop:${good.AUTH_SECRET}` }]) {
    assert.match(problemsOf({ ...good, ...change }).join(), /AUTH_SECRET must not be a bridge secret/)
  }
})

test('production refuses sample and guessable secrets', () => {
  const weak = [
    'changeme-changeme-changeme-changeme',
    'your-secret-goes-here-0123456789ab',
    'a'.repeat(40),
    'abababababababababababababababababab',
    'my-long-password-for-the-bridge-x1',
  ]
  for (const value of weak) {
    for (const [name, written] of [
      ['BRIDGE_SECRET', value],
      ['AUTH_SECRET', value],
      ['BRIDGE_SECRETS', `shop:${value}`],
    ] as const) {
      assert.match(
        problemsOf({ ...good, [name]: written }).join(),
        new RegExp(`^${name} looks like a sample`),
        `${name}=${value}`,
      )
    }
  }
  const zeros = `1:${Buffer.alloc(32).toString('base64')}`
  assert.match(problemsOf({ ...good, DATA_KEYS: zeros }).join(), /^DATA_KEYS looks like a sample/)
})

test('secrets are long enough in every mode, and a bridge secret is what a header can carry', () => {
  for (const NODE_ENV of ['development', 'test', 'production']) {
    const environment = { ...good, NODE_ENV }
    assert.match(
      problemsOf({ ...environment, AUTH_SECRET: 'x'.repeat(31) }).join(),
      /AUTH_SECRET must have at least 32 characters/,
    )
    assert.match(
      problemsOf({ ...environment, METRICS_TOKEN: 'x'.repeat(15) }).join(),
      /METRICS_TOKEN must have at least 16 characters/,
    )
    assert.match(
      problemsOf({ ...environment, BRIDGE_SECRET: 'x'.repeat(31) }).join(),
      /BRIDGE_SECRET must have at least 32 characters/,
    )
    for (const value of [`${secret()} ${secret()}`, `é${secret()}`, `${secret()}\n`, secret().padEnd(501, 'x')]) {
      assert.match(
        problemsOf({ ...environment, BRIDGE_SECRET: value }).join(),
        /BRIDGE_SECRET must be 32 to 500 ASCII characters/,
      )
    }
    assert.match(
      problemsOf({ ...environment, BRIDGE_SECRETS: `shop:${'x'.repeat(31)}` }).join(),
      /BRIDGE_SECRETS must be 32 to 500/,
    )
    assert.match(
      problemsOf({ ...environment, BRIDGE_SECRETS: secret().replaceAll('/', '') }).join(),
      /BRIDGE_SECRETS must be written as name:value/,
    )
    assert.match(
      problemsOf({ ...environment, BRIDGE_SECRETS: `a:${secret()},a:${secret()}` }).join(),
      /BRIDGE_SECRETS contains an entry twice/,
    )
    for (const key of ['1:short', `1:${'x'.repeat(32)}`, `1:${'0'.repeat(63)}`, `${secret()}`]) {
      assert.match(
        problemsOf({ ...environment, DATA_KEYS: key }).join(),
        /DATA_KEYS (needs 32 bytes|must be written)/,
        key,
      )
    }
  }
})

test('contradictory settings are reported', () => {
  for (const [change, expected] of [
    [
      { SESSION_IDLE_TTL: '40d', ADMIN_SESSION_IDLE_TTL: '1d' },
      /SESSION_ABSOLUTE_TTL must not be shorter than SESSION_IDLE_TTL/,
    ],
    [{ ADMIN_SESSION_ABSOLUTE_TTL: '1h' }, /ADMIN_SESSION_ABSOLUTE_TTL must not be shorter/],
    [{ ADMIN_EMAIL: 'ada@example.com' }, /ADMIN_EMAIL and ADMIN_PASSWORD go together/],
    [{ SMS_WEBHOOK_URL: 'https://sms.example.com' }, /SMS_WEBHOOK_URL and SMS_WEBHOOK_SECRET go together/],
    [{ TWILIO_FROM: '+15005550006' }, /TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM go together/],
    [{ SMS_COUNTRIES: 'DE,Germany' }, /"Germany" is not a country such as DE/],
    [{ ONBOARDING_STEPS: 'profile,start' }, /"start" is not a name of a step/],
    [{ ONBOARDING_STEPS: 'acquisition_source' }, /"acquisition_source" is not a name of a step/],
    [{ ONBOARDING_STEPS: 'profile,company,profile' }, /ONBOARDING_STEPS must name each step once/],
    [{ ONBOARDING_STEPS: Array.from({ length: 33 }, (_, count) => `s${count}`).join() }, /at most 32 steps/],
    [{ DEFAULT_PHONE_REGION: 'XX' }, /DEFAULT_PHONE_REGION must be a country/],
    [{ DEFAULT_LANG: 'en_US' }, /DEFAULT_LANG must be a language tag/],
    [{ SESSION_COOKIE_NAME: 'session id' }, /SESSION_COOKIE_NAME must be letters/],
    [
      { NODE_ENV: 'development', PUBLIC_URL: 'http://localhost', SESSION_COOKIE_NAME: '__Host-id' },
      /SESSION_COOKIE_NAME with a __Host-/,
    ],
    [
      { NODE_ENV: 'development', PUBLIC_URL: 'http://localhost', COOKIE_SAMESITE: 'none' },
      /COOKIE_SAMESITE=none requires an https/,
    ],
  ] as const) {
    const problems = problemsOf({ ...good, ...change })
    assert.equal(problems.length, 1, problems.join())
    assert.match(problems.join(), expected)
  }
})

test('SESSION_COOKIE_DOMAIN is the host of PUBLIC_URL or a domain above it, and no public suffix', () => {
  const cookie = (PUBLIC_URL: string, SESSION_COOKIE_DOMAIN: string, more = {}) =>
    problemsOf({ ...good, NODE_ENV: 'development', PUBLIC_URL, SESSION_COOKIE_DOMAIN, ...more }).join()
  for (const [url, domain] of [
    ['https://id.example.com', 'example.com'],
    ['https://id.example.com', 'id.example.com'],
    ['https://id.eu.example.co.uk:8443', 'example.co.uk'],
    ['https://id.shop.github.io', 'shop.github.io'],
    ['http://id.example.test:3000', 'example.test'],
    ['https://id.corp.internal', 'corp.internal'],
  ] as const) {
    assert.equal(cookie(url, domain), '', `${url} ${domain}`)
  }
  for (const [url, domain] of [
    ['https://id.example.co.uk', 'co.uk'],
    ['https://shop.github.io', 'github.io'],
    ['https://github.io', 'github.io'],
    ['https://shop.s3.amazonaws.com', 'amazonaws.com'],
    ['https://shop.up.railway.app', 'up.railway.app'],
    ['https://id.example.xn--55qx5d.cn', 'xn--55qx5d.cn'],
  ] as const) {
    assert.match(cookie(url, domain), /^SESSION_COOKIE_DOMAIN must not be .* use your own domain below it/, domain)
  }
  for (const domain of ['other.com', 'app.example.com', 'xample.com', 'id.example.com.evil.net', 'a.id.example.com']) {
    assert.match(
      cookie('https://id.example.com', domain),
      /^SESSION_COOKIE_DOMAIN must be id\.example\.com, the/,
      domain,
    )
  }
  for (const domain of [
    ...['localhost', 'com', '.example.com', 'example.com.', 'example.com:443', 'https://example.com', 'example.com/'],
    ...[
      'Example.com',
      'exa mple.com',
      '*.example.com',
      '127.0.0.1',
      '1.2',
      '[::1]',
      'example..com',
      '-a.com',
      'a_b.com',
    ],
  ]) {
    assert.match(cookie('https://id.example.com', domain), /^SESSION_COOKIE_DOMAIN must be a domain such as/, domain)
  }
  assert.match(cookie('http://127.0.0.1:3000', 'example.com'), /^SESSION_COOKIE_DOMAIN must be 127\.0\.0\.1/)
  assert.match(
    cookie('https://id.example.com', 'example.com', { SESSION_COOKIE_NAME: '__Host-id' }),
    /^SESSION_COOKIE_DOMAIN cannot be combined with a SESSION_COOKIE_NAME with the prefix __Host-/,
  )
})

test('ALLOWED_REDIRECTS takes origins, origins with a path and app schemes', () => {
  const given = 'https://a.example, https://b.example/app, https://c.example/app/, myapp://'
  assert.deepEqual(problemsOf({ ...good, ALLOWED_REDIRECTS: given }), [])
})
