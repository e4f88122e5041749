export interface DatabaseHost {
  host: string
  port: number
}

const targets = ['any', 'read-write', 'primary'] as const

/** The servers that may be used. The values are a subset of libpq's `target_session_attrs`. */
export type ServerTarget = (typeof targets)[number]

export interface DatabaseAddress {
  hosts: readonly DatabaseHost[]
  target: ServerTarget
  /** Undefined if the URI does not set a connection timeout or sets it to zero. */
  connectTimeoutMs: number | undefined
  database: string
  /** The first host's URI, in the form that the driver reads. */
  url: string
}

/** The message gives only the position of the invalid part because any text in the URI may be part of the password. */
export class DatabaseAddressError extends Error {}

const defaultPort = 5432
const form = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?(?:#[^@]*)?$/

/** Reads a libpq connection URI, which may list several hosts. */
export function readDatabaseAddress(text: string): DatabaseAddress {
  const [, login, authority = '', database = '', query = ''] = form.exec(text) ?? reject(wrongForm)
  // If a parameter is repeated, the last value applies, as in the driver.
  const { host, port, ...others } = Object.fromEntries(new URLSearchParams(query))
  const hosts = readHosts(authority, host, port)
  const driverQuery = withDriverTls(query, others)
  const rest = `/${database}${driverQuery && `?${withoutHosts(driverQuery)}`}`
  const url =
    hosts.length === 1 && URL.canParse(text)
      ? text.replace(`?${query}`, () => driverQuery && `?${driverQuery}`)
      : `postgres://${login ? `${login}@` : ''}${written(hosts[0]!)}${rest}`
  if (!URL.canParse(url)) reject(wrongForm)
  return {
    hosts,
    target: readTarget(others.target_session_attrs),
    connectTimeoutMs: readTimeout(others.connect_timeout),
    database,
    url,
  }
}

const wrongForm =
  'must have the form postgres://user:password@host:port/database. In the user and the password, write % : / ? # @ as %25 %3A %2F %3F %23 %40'

const reject = (message: string): never => {
  throw new DatabaseAddressError(message)
}

/** The `host` and `port` parameters take precedence over the hosts in the URI's authority. */
function readHosts(authority: string, hostList: string | undefined, portList: string | undefined): DatabaseHost[] {
  const listed = authority.split(',').map(splitHost)
  const names = hostList === undefined ? listed.map(({ name }) => name) : hostList.split(',')
  const ports = portList?.split(',') ?? (listed.length === names.length ? listed.map(({ port }) => port) : [''])
  if (ports.length > 1 && ports.length !== names.length)
    reject(`has ${names.length} hosts and ${ports.length} ports: give one port for all hosts, or one for each`)
  return names.map((name, index) => {
    if (name === '' && names.length > 1) reject(`has no name for host ${index + 1} of its list of hosts`)
    return { host: name || 'localhost', port: readPort(ports[index] ?? ports[0] ?? '', index) }
  })
}

function splitHost(item: string, index: number): { name: string; port: string } {
  const [, literal, name, port] = /^(?:\[([0-9A-Fa-f:.%]+)\]|([^:[\]]*))(?::([^:]*))?$/.exec(item) ?? []
  if (literal === undefined && name === undefined)
    reject(`has an invalid host ${index + 1}: an IPv6 address needs brackets, such as [::1]:5432. ${passwordHint}`)
  return { name: literal ?? decodeHost(name ?? '', index), port: port ?? '' }
}

function decodeHost(name: string, index: number): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return reject(`has an invalid host ${index + 1}: a % must be followed by two hexadecimal digits`)
  }
}

function readPort(text: string, index: number): number {
  if (text === '') return defaultPort
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535
    ? port
    : reject(`has an invalid port for host ${index + 1}: ports are 1 to 65535. ${passwordHint}`)
}

const passwordHint = 'If the password contains / ? or #, write it as %2F %3F or %23'

const readTarget = (text = 'any'): ServerTarget =>
  targets.find((target) => target === text) ??
  reject(
    `has an unsupported target_session_attrs: the service needs a server that it can write to, so use ${targets.slice(1).join(' or ')}, or any`,
  )

function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,4}$/.test(text)) reject('has an invalid connect_timeout: it is a whole number of seconds, such as 2')
  // Zero selects the default timeout.
  return Number(text) * 1000 || undefined
}

const tlsModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * The driver treats all of these modes as `verify-full`, and prints a warning for the others. It reads `system` as the
 * name of a file.
 */
const verifying = ['allow', 'prefer', 'require', 'verify-ca', 'verify-full']

function withDriverTls(query: string, parameters: Record<string, string>): string {
  const { sslmode, sslrootcert, uselibpqcompat } = parameters
  if (sslmode !== undefined && !tlsModes.includes(sslmode))
    reject(`has an unsupported sslmode: use verify-full, or disable to connect without TLS`)
  if (uselibpqcompat !== undefined) return query
  const others = query.split('&').filter((parameter) => !/^(sslmode|sslrootcert)=/.test(parameter))
  const isSystem = sslrootcert === 'system'
  if (!isSystem && (sslmode === 'verify-full' || !verifying.includes(sslmode ?? ''))) return query
  const root = sslrootcert === undefined || isSystem ? [] : [`sslrootcert=${encodeURIComponent(sslrootcert)}`]
  const mode = sslmode === undefined || verifying.includes(sslmode) ? 'verify-full' : sslmode
  return [...others, `sslmode=${mode}`, ...root].join('&')
}

const withoutHosts = (query: string): string =>
  query
    .split('&')
    .filter((parameter) => !/^(host|port)=/.test(parameter))
    .join('&')

const written = ({ host, port }: DatabaseHost): string =>
  `${host.includes(':') ? `[${host}]` : encodeURIComponent(host)}:${port}`

export const hostName = ({ host, port }: DatabaseHost): string => `${host.includes(':') ? `[${host}]` : host}:${port}`
