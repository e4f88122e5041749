import { bool, duration, integer, integerOrAuto, list, oneOf, optionalText, SettingProblem, text } from '../kinds.ts'
import { baseUrl, databaseUrl, optionalUrl } from '../url-kinds.ts'

const variableName = (item: string) =>
  /^[A-Za-z_]\w*\*?$/.test(item) ? item : new SettingProblem(`"${item}" is not the name of a variable`)

export const serviceSettings = {
  NODE_ENV: oneOf(
    ['development', 'test', 'production'],
    'development',
    'environment; production: no development inbox, no generated secrets, and strict checks at startup',
  ),
  HOST: text('127.0.0.1', 'IP address to listen on', { shown: '127.0.0.1 (production: 0.0.0.0)' }),
  PORT: integer(3000, 0, 65535, 'port to listen on'),
  WORKERS: integerOrAuto(
    1,
    1,
    256,
    'number of worker processes that share PORT; auto: one per core with DATABASE_URL, 1 without it',
  ),
  PUBLIC_URL: baseUrl(
    'http://localhost:{PORT}',
    'public URL of the service, used in links and redirects and as an allowed origin',
    { aliases: ['API_BASE_URL'] },
  ),
  FRONTEND_URL: baseUrl('= PUBLIC_URL', 'URL of your pages, used in redirects and email links'),
  DATABASE_URL: databaseUrl(
    'PostgreSQL server, version 14 or later; for failover, list multiple hosts and set target_session_attrs=read-write: `postgres://user:password@a:5432,b:5432/wardenry?target_session_attrs=read-write`',
    { secret: true, shown: 'none: embedded database in DATA_DIR' },
  ),
  DATABASE_POOL_MAX: integer(
    10,
    1,
    200,
    'connection pool size of each process; each process uses up to three more connections for health checks, notifications and session revocations',
  ),
  DATA_DIR: text('./data', 'directory for the embedded database, generated secrets and pictures'),
  REDIS_URL: optionalUrl(
    ['redis:', 'rediss:'],
    'Redis or Valkey server for the shared session cache, rate limits and messages between nodes',
    {
      secret: true,
    },
  ),
  AUTO_MIGRATE: bool(
    true,
    'apply pending migrations at startup; if false, the service does not start while migrations are pending',
  ),
  SHUTDOWN_TIMEOUT: duration('15s', '1s', '5m', 'time limit for stopping the service, for all shutdown steps together'),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info', 'minimum level to log'),
  LOG_REQUESTS: oneOf(
    ['none', 'errors', 'all'],
    'errors',
    'which requests to log; `all` reduces the throughput of session validation by a third',
  ),
  DOCS_PAGE: oneOf(
    ['on', 'admins', 'off'],
    'on',
    'who can access the API page `/docs` and `/openapi.json`: everyone (on), only administrators (admins), or nobody (off)',
  ),
  METRICS_TOKEN: optionalText('bearer token that every caller of GET /metrics must send', {
    secret: true,
    min: 16,
    shown: 'none: loopback callers only',
  }),
  IGNORED_VARIABLES: list(
    'environment variables of other programs, which are not reported as misspelt settings; a trailing `*` matches any ending',
    variableName,
  ),
} as const
