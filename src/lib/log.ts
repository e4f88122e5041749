import { unescape as decode } from 'node:querystring'
import { type Logger, pino, stdSerializers } from 'pino'
import { isWriteOnlyName } from './write-only.ts'

export type { Logger }

const hidden = '[redacted]'
const maxDepth = 8

// Members with these names are redacted at any depth. Case, hyphens and underscores are ignored.
const secretNames = new Set([
  'authorization',
  'cookie',
  'setcookie',
  'xsessionid',
  'xbridgesecret',
  'xoauthflow',
  'sessionid',
  'password',
  'newpassword',
  'currentpassword',
  'token',
  'code',
  'secret',
  'seed',
  'sessiontoken',
  'sealed',
  'payload',
])

// Finds session tokens, secrets with a checksum and one-time tokens by their format in the complete log line. A token may
// follow a JSON or URL escape sequence, whose last character looks like part of the token.
const secretForms =
  /ses_[A-Za-z0-9_-]{43}|wbs_[A-Za-z0-9]{49}|(?:(?<=%(?:25)*[0-9A-Fa-f]{2}|\\[bfnrt]|\\u[0-9a-f]{4})|(?<![A-Za-z0-9_-]))[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g
const secretInAddress =
  /((?:[?&]|%(?:25)*(?:3F|26))(?:session_id|sessionId|token|code|state)(?:=|%(?:25)*3D))(?:(?!%(?:25)*26)[^&#"\s\\])+/gi

/** `secrets` are configured values that are redacted in every line. */
export function createLogger(level: string, secrets: readonly string[], write: (line: string) => void): Logger {
  const known = [...new Set(secrets.flatMap(writings))].filter((text) => text.length >= 8)
  const clean = (line: string) =>
    known
      .reduce((text, secret) => text.replaceAll(secret, hidden), line)
      .replace(secretForms, hidden)
      .replace(secretInAddress, `$1${hidden}`)
  const log = (members: Record<string, unknown>) => withoutSecrets(members, 0) as Record<string, unknown>
  return pino(
    { level, base: null, formatters: { log }, serializers: { err: (error) => error } },
    { write: (line) => write(clean(line)) },
  )
}

function writings(secret: string): string[] {
  const passwords = passwordsIn(secret).flatMap((password) => [password, decode(password)])
  return [secret, ...passwords].flatMap((value) => [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
  ])
}

/** A connection URI with several database hosts is not a valid URL and may contain the password as a parameter. */
function passwordsIn(secret: string): string[] {
  const { password } = URL.canParse(secret) ? new URL(secret) : { password: '' }
  const [, login] = /^\w+:\/\/[^:/?#]*:([^/?#]*)@/.exec(secret) ?? []
  const [, parameter] = /^\w+:\/\/[^?#]*\?(?:[^#]*&)?password=([^&#]*)/.exec(secret) ?? []
  return [password, login, parameter].filter((found) => typeof found === 'string')
}

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) return '[too deep]'
  if (isError(value)) return errorMembers(value, depth)
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON()
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1))
  return membersOf(value, depth)
}

const membersOf = (value: object, depth: number): object =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isSecret(name) ? hidden : withoutSecrets(member, depth + 1)]),
  )

// Libraries may log copies of errors, which are not instances of `Error`.
const isError = (value: object): value is Error =>
  value instanceof Error ||
  ('message' in value && 'stack' in value && typeof value.message === 'string' && typeof value.stack === 'string')

// PostgreSQL errors may contain column values, and drivers may add statement parameters.
const rowMembers = ['detail', 'where', 'internalQuery', 'query', 'parameters', 'params']

/** System and PostgreSQL error codes are logged. Other members named `code` are redacted. */
function errorMembers(error: Error, depth: number): unknown {
  const members = { ...stdSerializers.err(error) } as Record<string, unknown>
  if (error instanceof AggregateError) members.aggregateErrors = error.errors
  for (const name of rowMembers) if (members[name] !== undefined) members[name] = hidden
  const { code } = members
  const isName = typeof code === 'string' && /^([A-Z][A-Z0-9_]+|[0-9A-Z]{5})$/.test(code)
  return { ...membersOf(members, depth), ...(isName && { code }) }
}

const isSecret = (name: string): boolean =>
  secretNames.has(name.toLowerCase().replace(/[-_]/g, '')) || isWriteOnlyName(name)
