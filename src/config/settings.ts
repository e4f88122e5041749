import { isCountry } from '../lib/countries.ts'
import { isPostLanguage } from '../lib/locale.ts'
import { isStepName } from '../lib/write-only.ts'
import {
  baseUrl,
  bool,
  duration,
  integer,
  isOrigin,
  limit,
  list,
  named,
  oneOf,
  optionalDuration,
  optionalText,
  optionalUrl,
  origins,
  Problem,
  ranges,
  type Setting,
  text,
} from './kinds.ts'
import { colour, logo } from './look.ts'
import { passkeyDomain, passkeyPlace, userTypeName } from './passkey-kinds.ts'
import { applePrivateKey, extraClientIds, hosts, issuer, oauthApp } from './social.ts'
import { storage } from './storage.ts'

// The secret travels in a header, which carries no other characters and loses spaces at its ends.
const bridgeSecret = (value: string) =>
  /^[\x21-\x7e]{32,500}$/.test(value) ? undefined : 'must be 32 to 500 ASCII characters without spaces, in every value'
const keyOf32Bytes = (value: string) =>
  decodeKey(value) ? undefined : 'needs 32 bytes in every value, in base64url, base64 or 64 hex digits'

/** 32 bytes from hex or base64 text; undefined for anything else. */
export function decodeKey(value: string): Buffer | undefined {
  const bytes = /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64')
  return bytes.length === 32 ? bytes : undefined
}

const userType = (item: string) => {
  if (item === 'admin' || item === 'superadmin')
    return new Problem(`"${item}" has the rights of an administrator already`)
  return /^[a-z][a-z0-9_-]{1,31}$/.test(item) ? item : new Problem(`"${item}" is not a user type such as editor`)
}
const moduleTarget = (item: string) =>
  /^[a-z0-9][a-z0-9-]{0,63}(:[a-z0-9][a-z0-9-]*(\+[a-z0-9][a-z0-9-]*)*)?$/.test(item)
    ? item
    : new Problem(`"${item}" is not a module such as privacy, blog:all or blog:ext-views+ext-comments`)
const slug = (value: string) =>
  /^[a-z0-9][a-z0-9-]{0,63}$/.test(value) ? undefined : 'must have lower-case letters, digits and - only, at most 64'
const country = (item: string) => (isCountry(item) ? item : new Problem(`"${item}" is not a country such as DE`))
const factors = ['email', 'sms', 'totp', 'passkey']
const factor = (item: string) =>
  factors.includes(item) ? item : new Problem(`"${item}" is none of ${factors.join(', ')}`)
const reactionName = (item: string) =>
  /^[a-z][a-z0-9_]{0,19}$/.test(item) ? item : new Problem('must name reactions such as like: a-z, 0-9 and _')

const stepName = (item: string) =>
  isStepName(item) ? item : new Problem(`"${item}" is not a name of a step such as company`)
const redirectTarget = (item: string) => {
  const isAppScheme =
    /^[a-z][a-z0-9+.-]{1,40}:\/\/$/.test(item) && !/^(https?|javascript|data|file|blob|vbscript):/.test(item)
  return isOrigin(item) || isAppScheme
    ? item
    : new Problem(`"${item}" is neither an origin nor an app scheme such as myapp://`)
}

/** Every setting of the service, in the order in which the documentation lists them. */
export const settings = {
  NODE_ENV: oneOf(
    ['development', 'test', 'production'],
    'development',
    'production switches off the development inbox and generated secrets, and makes the checks at start strict',
  ),
  HOST: text('127.0.0.1', 'address to listen on', { shown: '127.0.0.1 (production: 0.0.0.0)' }),
  PORT: integer(3000, 0, 65535, 'port to listen on'),
  PUBLIC_URL: baseUrl(
    'http://localhost:{PORT}',
    'address under which the service is reached: links, redirects, allowed origin',
    { aliases: ['API_BASE_URL'] },
  ),
  FRONTEND_URL: baseUrl('= PUBLIC_URL', 'target of redirects and of links in mails'),
  DATABASE_URL: optionalUrl(['postgres:', 'postgresql:'], 'server PostgreSQL 14 or later', {
    secret: true,
    shown: 'none: embedded database in DATA_DIR',
  }),
  DATABASE_POOL_MAX: integer(10, 1, 200, 'connections per process, beside one that listens and one for probes'),
  DATA_DIR: text('./data', 'embedded database, generated keys, pictures'),
  REDIS_URL: optionalUrl(['redis:', 'rediss:'], 'Redis or Valkey: shared cache, limits, invalidation', {
    secret: true,
  }),
  AUTO_MIGRATE: bool(true, 'false: the start is refused while migrations are pending'),
  SHUTDOWN_TIMEOUT: duration('15s', '1s', '5m', 'time for running requests to finish when stopping'),
  LOG_LEVEL: oneOf(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'info',
    'least level that is logged',
  ),
  LOG_REQUESTS: oneOf(
    ['none', 'errors', 'all'],
    'errors',
    'which requests get a line of their own; `all` costs a third of the hot path',
  ),
  METRICS_TOKEN: optionalText('bearer token of GET /metrics', {
    secret: true,
    min: 16,
    shown: 'none: loopback callers only',
  }),

  APP_NAME: text('Wardenry', 'name shown in mails and pages', { max: 60 }),
  APP_LOGO: logo('picture shown on pages; one more than twice as wide as high stands in place of the name'),
  APP_ACCENT: colour('colour of buttons and links on pages; made darker or lighter where it could not be read'),
  APP_TERMS_URL: optionalUrl(['https:', 'http:'], 'your terms, linked on every page'),
  APP_PRIVACY_URL: optionalUrl(['https:', 'http:'], 'your privacy notice, linked on every page'),
  DEFAULT_LANG: text('en', 'language of those who chose none', { max: 35 }),
  DEFAULT_PHONE_REGION: optionalText('country of phone numbers without +, as ISO alpha-2'),
  USER_TYPES: list('user types beyond superadmin, admin, customer and writer; they have customer rights', userType),

  BRIDGE_SECRET: optionalText('secret of your back ends (header X-Bridge-Secret)', {
    secret: true,
    min: 32,
    check: bridgeSecret,
    aliases: ['BRIDGE_VALIDATION_SECRET'],
    shown: 'development: generated into DATA_DIR',
  }),
  BRIDGE_SECRETS: named('several secrets by name, added to BRIDGE_SECRET', bridgeSecret),
  BRIDGE_ALLOWED_ORIGINS: origins('browser origins that may send the bridge secret'),
  DATA_KEYS: named('keys that encrypt small secrets at rest; the first encrypts, all decrypt', keyOf32Bytes),
  AUTH_SECRET: optionalText('key of codes, signed cookies and forms', {
    secret: true,
    min: 32,
    shown: 'development on the embedded database: generated',
  }),
  PEPPERS: named('keys mixed into password hashes; the first is used for new ones', keyOf32Bytes),

  CLIENT_COMPAT: bool(false, 'answers carry the additional members that older clients read'),
  CORS_ORIGINS: origins('further origins whose pages may call the API'),
  ALLOWED_REDIRECTS: list('origins and app schemes (myapp://) that links may lead to', redirectTarget),
  TRUSTED_PROXIES: ranges('proxies whose X-Forwarded-For is believed'),

  SESSION_IDLE_TTL: duration('7d', '5m', '90d', 'a session ends after this time without use'),
  SESSION_ABSOLUTE_TTL: duration('30d', '5m', '365d', 'a session ends after this time in any case'),
  ADMIN_SESSION_IDLE_TTL: optionalDuration('= SESSION_IDLE_TTL', '5m', '90d', 'the same for admins and superadmins'),
  ADMIN_SESSION_ABSOLUTE_TTL: optionalDuration(
    '= SESSION_ABSOLUTE_TTL',
    '5m',
    '365d',
    'the same for admins and superadmins',
  ),
  PARTIAL_SESSION_TTL: duration('5m', '1m', '15m', 'time to enter the second factor'),
  SESSION_MAX_PER_USER: integer(50, 1, 1000, 'one more ends the oldest'),
  REAUTH_WINDOW: duration(
    '10m',
    '0s',
    '24h',
    'a sign-in this recent proves who is asking for what weakens an account; 0s: not asked',
  ),
  SESSION_BINDING: oneOf(
    ['off', 'log', 'enforce'],
    'log',
    'what happens when a back end reports another address or user agent',
  ),
  SESSION_VALIDATION_CACHE_TTL: duration(
    '5s',
    '0s',
    '60s',
    'how long an answer may be served from a copy; 0s switches copies off',
  ),
  SESSION_COOKIE_NAME: text('session_id', 'name of the session cookie; __Host- is allowed', { max: 60 }),
  COOKIE_SAMESITE: oneOf(
    ['auto', 'lax', 'strict', 'none'],
    'auto',
    'auto: none when FRONTEND_URL is on another site, else lax',
  ),
  ALLOW_QUERY_SESSION: bool(true, 'accept the session id in the address'),
  PROMOTION_ROTATE: oneOf(
    ['always', 'redirect-only'],
    'redirect-only',
    'when a session gets a new value once its second factor was right: always, or only when the old one was part of an address',
  ),
  TWO_FACTOR_ENABLED: bool(true, 'whether the module two-factor, once installed, is on'),
  TWO_FACTOR_METHODS: {
    ...list('second factors that people can set up; recovery codes always', factor),
    fallback: [...factors],
    shownDefault: factors.join(),
  },

  TWO_FACTOR_REQUIRED_FOR: list(
    'user types that confirm every sign-in by a second factor, set up or not',
    userTypeName,
  ),
  TWO_FACTOR_REMEMBER: duration(
    '0s',
    '0s',
    '90d',
    'how long a browser may be remembered that need not confirm sign-ins again; 0s: never',
  ),
  WEBAUTHN_RP_ID: optionalText('domain that passkeys belong to: changing it makes all of them useless', {
    check: passkeyDomain,
    shown: 'host of FRONTEND_URL',
  }),
  WEBAUTHN_ORIGINS: {
    ...list('pages and apps that may use the passkeys', passkeyPlace, 'origins'),
    shownDefault: 'PUBLIC_URL and FRONTEND_URL',
  },

  REGISTRATION_ENABLED: bool(true, 'whether people can create accounts themselves'),
  REGISTRATION_REQUIRES_BRIDGE: bool(false, 'registration only through your back end'),
  REGISTRATION_REVEAL: oneOf(['compat', 'hide'], 'compat', 'hide: a taken address gets the same answer as a new one'),
  VERIFY_REGISTRATION: bool(false, 'signing in needs a verified address'),
  TOKEN_LOGIN_ENABLED: bool(true, 'whether people can sign in by a link or code that is sent to them'),
  TOKEN_LOGIN_AUTO_REGISTER: bool(false, 'a link to an unknown address makes a new user of whoever opens it'),
  TOKEN_LOGIN_REQUIRES_BRIDGE: bool(false, 'asking for links and redeeming them only through your back end'),
  PASSWORD_PROFILE: oneOf(['compat', 'nist'], 'compat', 'at least 8 or 15 characters'),
  ARGON2_MEMORY_KIB: integer(19456, 8192, 1048576, 'memory of one password hash'),
  ARGON2_TIME: integer(2, 1, 10, 'passes of one password hash'),
  ARGON2_PARALLELISM: integer(1, 1, 16, 'lanes of one password hash'),
  HASH_CONCURRENCY: { ...integer(1, 1, 256, 'password hashes at a time'), fallback: undefined, shownDefault: 'cores' },
  HASH_QUEUE: integer(64, 0, 4096, 'hashes that may wait; beyond: 503'),
  LOCKOUT_MAX_FAILURES: integer(100, 10, 100, 'wrong passwords in a row that lock an account'),
  LOCKOUT_DURATION: duration('24h', '5m', '7d', 'how long the lock holds'),
  LOGIN_LINK_TTL: duration('15m', '1m', '1h', 'life of a sign-in link'),
  CODE_TTL: duration('10m', '1m', '10m', 'life of a typed code'),
  PASSWORD_BREACH_CHECK: bool(false, 'compare new passwords with known breaches; without an answer they are taken'),
  PASSWORD_BREACH_URL: optionalUrl(
    ['https:', 'http:'],
    'range API for that, such as `https://api.pwnedpasswords.com/range`; it learns five digits of a hash',
  ),
  RESET_TTL: duration('30m', '5m', '24h', 'life of a link that sets a new password'),
  RESET_AUTO_LOGIN: bool(false, 'whoever has set a new password by a link is signed in'),
  INVITE_TTL: duration('24h', '1h', '14d', 'life of the link in an invitation'),
  VERIFY_EMAIL_TTL: duration('24h', '1h', '7d', 'life of a verification link'),
  EMAIL_CHANGE_TTL: duration('24h', '1h', '7d', 'time to confirm a new login address from both inboxes'),
  EMAIL_CHANGE_REAUTH: bool(false, 'asking for a new login address needs recent proof, as REAUTH_WINDOW says'),

  SOCIAL_LOGIN: bool(true, 'whether people can sign in with the providers below'),
  SOCIAL_AUTO_REGISTER: bool(true, 'whoever comes from a provider for the first time becomes a new user'),
  OAUTH_STATE_TTL: duration('10m', '1m', '30m', 'time to come back from a provider'),
  ...oauthApp('GOOGLE', 'Google'),
  GOOGLE_EXTRA_CLIENT_IDS: extraClientIds('Google'),
  GOOGLE_ISSUER: issuer('another issuer in place of Google, for tests', "Google's own"),
  ...oauthApp('GITHUB', 'GitHub'),
  ...oauthApp('FACEBOOK', 'Facebook'),
  FACEBOOK_EXTRA_CLIENT_IDS: extraClientIds('Facebook'),
  ...oauthApp('APPLE', 'Apple'),
  APPLE_TEAM_ID: optionalText('Apple team; with key id and private key in place of APPLE_CLIENT_SECRET'),
  APPLE_KEY_ID: optionalText('id of the key below'),
  APPLE_PRIVATE_KEY: applePrivateKey('key that signs client secrets, the content of the .p8 file'),
  APPLE_EXTRA_CLIENT_IDS: extraClientIds('Apple'),
  APPLE_ISSUER: issuer('another issuer in place of Apple, for tests', "Apple's own"),
  ...oauthApp('DISCORD', 'Discord'),
  DISCORD_EXTRA_CLIENT_IDS: extraClientIds('Discord'),
  ...oauthApp('MICROSOFT', 'Microsoft'),
  MICROSOFT_TENANT: text('common', 'who may come: common, organizations, consumers, or the id of your tenant', {
    max: 100,
  }),
  MICROSOFT_EXTRA_CLIENT_IDS: extraClientIds('Microsoft'),
  MICROSOFT_ISSUER: issuer('another issuer in place of Microsoft, such as a sovereign cloud', "Microsoft's own"),
  ...oauthApp('OIDC', 'an OpenID Connect provider of your own'),
  OIDC_NAME: text('OpenID Connect', 'what it is called on pages and in mails', { max: 60 }),
  OIDC_ISSUER: issuer('its issuer, which says where everything else is', 'none'),
  OIDC_HOSTS: hosts('further hosts that it works on; none but these and that of the issuer are asked'),
  OIDC_EXTRA_CLIENT_IDS: extraClientIds('this provider'),

  ADMIN_EMAIL: optionalText('address of the first superadmin, used only while none ever existed'),
  ADMIN_PASSWORD: optionalText('password of the first superadmin', { secret: true }),

  MAIL_FROM: optionalText('sender of mails, such as "Example <no-reply@example.com>"', {
    shown: 'no-reply@{host of PUBLIC_URL}',
  }),
  SMTP_URL: optionalUrl(['smtp:', 'smtps:'], 'mail server', { secret: true, shown: 'none: development inbox' }),
  MAIL_CAP: limit('5/1h', 'mails of one kind to one address'),
  MAIL_NEW_DEVICE: bool(false, 'tell people by mail when a new device signs in'),
  SMS_WEBHOOK_URL: optionalUrl(['https:'], 'where text messages are posted'),
  SMS_WEBHOOK_SECRET: optionalText('signs these posts', { secret: true, min: 32 }),
  TWILIO_ACCOUNT_SID: optionalText('Twilio account that sends text messages, AC and 32 hex digits', {
    check: (value) => (/^AC[0-9a-f]{32}$/.test(value) ? undefined : 'must be AC and 32 hex digits'),
  }),
  TWILIO_AUTH_TOKEN: optionalText('secret of this account', { secret: true, min: 16 }),
  TWILIO_FROM: optionalText('number of this account in international form, or its messaging service', {
    check: (value) =>
      /^(\+[1-9]\d{6,14}|MG[0-9a-f]{32})$/.test(value) ? undefined : 'must be a number such as +491701234567, or MG…',
  }),
  SMS_COUNTRIES: {
    ...list('countries whose numbers get text messages, as ISO alpha-2', country),
    shownDefault: 'DEFAULT_PHONE_REGION, else all',
  },
  SMS_CAP: limit('5/1h', 'text messages to one number; a thousand neighbouring numbers together get ten times that'),
  SMS_BUDGET: limit('500/1h', 'text messages to everybody together'),
  STORAGE_URL: storage(
    'where pictures are kept: a folder in DATA_DIR, a bucket of any S3-compatible store, or nowhere',
  ),
  UPLOAD_MAX_BYTES: integer(10485760, 1024, 52428800, 'largest picture that may be uploaded'),
  GDPR_CONSENT_VERSION: optionalText('version of your terms that a consent without one accepts', {
    check: (value) => (/^[^\p{C}]{1,32}$/u.test(value) ? undefined : 'must be one line of at most 32 characters'),
  }),
  PRIVACY_DELETION_GRACE: duration('14d', '0s', '90d', 'from a request for deletion to the deletion; 0s: at once'),
  DELETED_RETENTION: duration('30d', '1d', '3650d', 'how long a deleted user can be restored; then it is erased'),
  ONBOARDING_STEPS: list('names of the steps of onboarding, in their order; empty: any, in any order', stepName),
  AUDIT_RETENTION: duration('365d', '1d', '3650d', 'how long audit events are kept'),
  AUDIT_IP_FULL: duration('30d', '1d', '3650d', 'after this time addresses in audit events are truncated'),

  MODULES_AUTO_INSTALL: list(
    'modules to install at start: `privacy`, `blog:all`, `blog:ext-a+ext-b`, or `all`',
    moduleTarget,
  ),
  MODULES_AUTO_UPGRADE: bool(true, 'a start brings installed modules up to the release'),
  RUNTIME_SCOPE: {
    ...optionalText(
      'scope in which starts and the command line look for installed modules; over HTTP, name it as `runtime_scope`',
      { check: slug, shown: 'service-core' },
    ),
    fallback: 'service-core',
  } as Setting<string>,
  MODULE_RUN_TIMEOUT: duration('10m', '10s', '14m', 'an installation that takes longer is rolled back'),

  BLOG_ENABLED: bool(false, 'whether the module blog, once installed, is on'),
  BLOG_DEFAULT_LANG: optionalText('language of posts that name none', {
    check: (value) => (isPostLanguage(value) ? undefined : 'must be a language tag such as en or es-MX'),
    shown: 'DEFAULT_LANG',
  }),
  BLOG_PUBLIC_BASE_URL: baseUrl('{FRONTEND_URL}/blog', 'where posts are read: their addresses in feeds and sitemap'),
  BLOG_TITLE: text('Blog', 'title of the feeds', { max: 120 }),
  BLOG_SCHEDULER_INTERVAL: duration('30s', '5s', '10m', 'how often scheduled posts that are due are published'),
  BLOG_REVISIONS_MAX: integer(25, 0, 200, 'revisions kept of each post'),
  BLOG_TRASH_DAYS: integer(30, 0, 3650, 'days after which deleted posts are gone for good; 0: never'),
  WRITER_ROLES: {
    ...list('user types that write posts, beside admin and superadmin', userTypeName),
    fallback: ['writer', 'admin', 'superadmin'],
    shownDefault: 'writer,admin,superadmin',
  },
  MODERATOR_ROLES: {
    ...list('user types that moderate comments, beside admin and superadmin', userTypeName),
    fallback: ['moderator', 'admin', 'superadmin'],
    shownDefault: 'moderator,admin,superadmin',
  },
  COMMENTS_ENABLED: bool(true, 'whether new comments are taken; there are always those that are there'),
  COMMENTS_REQUIRE_APPROVAL: oneOf(
    ['always', 'first', 'never'],
    'first',
    'comments that wait for a moderator: all, those of people without an approved one, or none',
  ),
  COMMENTS_EDIT_WINDOW: duration('15m', '0s', '30d', 'how long people may change their own comments; 0s: never'),
  REACTION_TYPES: {
    ...list('reactions that people choose from, 1 to 20', reactionName),
    fallback: ['like', 'love', 'laugh', 'wow', 'sad', 'angry', 'clap'] as string[],
    shownDefault: 'like,love,laugh,wow,sad,angry,clap',
  },

  POST_TYPES_ENABLED: bool(false, 'whether the module post-types, once installed, is on; needs BLOG_ENABLED'),
  POST_TYPES_CACHE_TTL: duration('300s', '0s', '1h', 'definitions of post types are served from a copy for this long'),
  POST_TYPES_FRESH_CACHE_MODE: bool(false, 'read definitions of post types from the database every time'),

  RATE_LIMIT_LOGIN: limit('5/15m', 'sign-in'),
  RATE_LIMIT_REGISTRATION: limit('3/1h', 'registration'),
  RATE_LIMIT_TOKEN_LOGIN: limit('10/10m', 'requests that send a message'),
  RATE_LIMIT_TOKEN_VALIDATE: limit('20/5m', 'requests that redeem a link or code'),
  RATE_LIMIT_SOCIAL_LOGIN: limit('10/15m', 'going to a provider and coming back'),
  RATE_LIMIT_SOCIAL_API: limit('20/10m', 'sign-ins of apps with what a provider gave them'),
  RATE_LIMIT_CACHE_INVALIDATION: limit('10/5m', 'POST /auth/invalidate/me'),
  RATE_LIMIT_ADMIN: limit('50/10m', 'administration'),
  RATE_LIMIT_EXPORT: limit('5/1h', 'exports of personal data and requests for deletion, by address and by account'),
  RATE_LIMIT_UNLOCK: limit('10/10m', 'wrong passwords of one post from one address'),
  RATE_LIMIT_COMMENT: limit('10/10m', 'comments written or changed, by address and by account'),
  RATE_LIMIT_INTERACT: limit('60/1m', 'reactions, bookmarks and views, by address and, with a session, by account'),
  RATE_LIMIT_READ: limit('600/1m', 'reads, per process'),
  RATE_LIMIT_WRITE: limit('120/1m', 'writes of signed-in users'),
  RATE_LIMIT_BRIDGE: limit('100000/1m', 'calls with one bridge secret, per process'),
  RATE_LIMIT_BRIDGE_FAIL: limit('20/5m', 'calls with a wrong bridge secret'),
} as const
