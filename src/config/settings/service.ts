import { baseUrl, bool, duration, integer, oneOf, optionalText, optionalUrl, text } from '../kinds.ts'

export const service = {
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
} as const
