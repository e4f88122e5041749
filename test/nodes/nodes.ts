import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Service, startService } from '../support/child.ts'
import { knownPasswords, type Person, type PersonName, person } from '../support/people.ts'
import { createDatabase, dropDatabase } from '../support/postgres.ts'
import { productionLimits } from '../support/production-limits.ts'

export const databaseServer = process.env.TEST_DATABASE_URL ?? ''
export const redisUrl = process.env.TEST_REDIS_URL ?? ''

export const needsPostgres = { skip: databaseServer === '' && 'skipped: no TEST_DATABASE_URL' }
export const needsRedis = { skip: redisUrl === '' && 'skipped: no TEST_REDIS_URL' }
export const needsBoth = { skip: needsPostgres.skip || needsRedis.skip }

export const bridgeSecret = 'bridge-kXv93mQz7LrT5wYc1NdB8sHfJ2gPaE4u'

/**
 * The settings that a deployment's nodes share. Each deployment has different secrets and a different Redis key prefix.
 */
export const newDeployment = () => ({
  AUTH_SECRET: randomBytes(32).toString('base64url'),
  DATA_KEYS: `1:${randomBytes(32).toString('base64url')}`,
  BRIDGE_SECRET: bridgeSecret,
  ARGON2_MEMORY_KIB: '8192',
  ARGON2_TIME: '1',
  TRUSTED_PROXIES: '127.0.0.0/8',
  ...productionLimits,
})

type Query = <Row>(text: string, values?: unknown[]) => Promise<Row[]>

export interface TestDatabase {
  url: string
  query: Query
  /** Opens a separate connection for tests that hold a lock. Closed when the database is dropped. */
  connect(): Promise<pg.Client>
  drop(): Promise<void>
}

/**
 * Creates a database, already migrated if the test runner provides a template. Otherwise, the first node migrates it.
 */
export const migratedDatabase = (): Promise<TestDatabase> => newDatabase(databaseServer, process.env.TEST_TEMPLATE)

/** Creates an empty database. */
export async function newDatabase(server = databaseServer, template?: string): Promise<TestDatabase> {
  const url = await createDatabase(server, undefined, template)
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  // Some tests stop the server, which breaks connections.
  pool.on('error', () => {})
  const clients: pg.Client[] = []
  return {
    url,
    query: async (text, values = []) => (await pool.query(text, values)).rows,
    async connect() {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => {})
      await client.connect()
      clients.push(client)
      return client
    },
    async drop() {
      await Promise.all([pool, ...clients].map((open) => open.end().catch(() => {})))
      await dropDatabase(server, url)
    },
  }
}

export interface Nodes {
  /** The URLs of the services. */
  urls: string[]
  services: Service[]
  /** The settings that all services share. */
  settings: Settings
  database: TestDatabase
  stop(): Promise<void>
}

type Settings = Record<string, string>

/**
 * Starts several services on one database, by default a new one. If `settings` is a function, it is called with the
 * node's number and returns that node's settings.
 */
export async function startNodes(
  count: number,
  settings: Settings | ((node: number) => Settings) = {},
  given?: TestDatabase,
): Promise<Nodes> {
  const database = given ?? (await migratedDatabase())
  const shared = { ...newDeployment(), DATABASE_URL: database.url }
  const own = typeof settings === 'function' ? settings : () => settings
  const services = await Promise.all(
    Array.from({ length: count }, (_, node) => startService({ ...shared, ...own(node) })),
  )
  return {
    urls: services.map(({ url }) => url),
    services,
    settings: shared,
    database,
    async stop() {
      await Promise.all(services.map((service) => service.stop()))
      for (const { output } of services) assertNoPassword(output(), 'the log of a node')
      await database.drop()
    },
  }
}

interface Call {
  method?: string
  body?: unknown
  headers?: Record<string, string>
  /** The client's IP address. By default, each call has a different one. */
  from?: string
  /** The timeout in milliseconds, for requests that are expected to take a long time. */
  timeoutMs?: number
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the type of a reply is not known at compile time.
  json: any
}

export async function call(
  url: string,
  { method, body, headers, from = newAddress(), timeoutMs = 20_000 }: Call = {},
): Promise<Answer> {
  const reply = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  assertNoPassword(text, url)
  const isJson = reply.headers.get('content-type')?.includes('json')
  return { status: reply.status, headers: reply.headers, json: isJson ? JSON.parse(text) : undefined }
}

function assertNoPassword(text: string, where: string): void {
  const found = knownPasswords.find((password) => text.includes(password))
  if (found !== undefined) throw new Error(`${where} shows a password: ${found}`)
}

let addresses = 0

/** RFC 2544 benchmarking addresses: 198.18.0.0/15. */
export function newAddress(): string {
  addresses++
  return `198.18.${(addresses >> 8) & 255}.${addresses & 255}`
}

export interface Registered extends Person {
  id: string
  sessionToken: string
}

export async function registerAt(url: string, name?: PersonName): Promise<Registered> {
  const somebody = person(name)
  const { status, json } = await call(`${url}/auth/register/public`, { body: somebody })
  if (status !== 200) throw new Error(`registration failed: ${JSON.stringify(json)}`)
  return { ...somebody, id: json.data.id, sessionToken: json.sessionId }
}

export const loginAt = (url: string, { email, password }: Pick<Person, 'email' | 'password'>, more: Call = {}) =>
  call(`${url}/auth/login`, { body: { email, password }, ...more })

export const validateAt = (url: string, sessionToken: string) =>
  call(`${url}/auth/bridge/validate`, {
    body: { session_id: sessionToken },
    headers: { 'x-bridge-secret': bridgeSecret },
  })

/** The number of responses for each status. */
export const tally = (answers: { status: number }[]): Record<number, number> => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
