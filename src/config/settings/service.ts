import { baseUrl, bool, duration, integer, list, oneOf, optionalText, optionalUrl, Problem, text } from '../kinds.ts'

const variableName = (item: string) =>
  /^[A-Za-z_]\w*\*?$/.test(item) ? item : new Problem(`"${item}" is not a name of a variable`)

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
  DATABASE_POOL_MAX: integer(
    10,
    1,
    200,
    'connections in the pool of a process; it opens up to three more: for probes, messages and ended sessions',
  ),
  DATA_DIR: text('./data', 'embedded database, generated keys, pictures'),
  REDIS_URL: optionalUrl(['redis:', 'rediss:'], 'Redis or Valkey: shared cache, limits, invalidation', {
    secret: true,
  }),
  AUTO_MIGRATE: bool(true, 'false: the start is refused while migrations are pending'),
  SHUTDOWN_TIMEOUT: duration('15s', '1s', '5m', 'time for the whole shutdown, including notice and linger'),
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
  METRICS_TOKEN: optionalText('bearer token that GET /metrics requires from every caller', {
    secret: true,
    min: 16,
    shown: 'none: loopback callers only',
  }),
  IGNORED_VARIABLES: list(
    'variables of other programs that look like misspelt settings; `*` at the end of a name stands for any ending',
    variableName,
  ),
} as const
