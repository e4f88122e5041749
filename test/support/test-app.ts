import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { InboxMessage } from '../../src/adapters/inbox/inbox.ts'
import { type App, type AppOptions, createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import { connectDatabase } from '../../src/db/connect.ts'
import { createLogger } from '../../src/lib/log.ts'
import { second } from '../../src/lib/time.ts'
import { currentArchive } from './current-archive.ts'
import { assertDeclared } from './declared-errors.ts'
import { createDatabase, dropDatabase } from './postgres.ts'
import { productionLimits } from './production-limits.ts'
import { type LeakWatch, watchLeaks } from './watch-leaks.ts'

export const bridgeSecret = 'bridge-kXv93mQz7LrT5wYc1NdB8sHfJ2gPaE4u'

/** A clock that does not move until a test advances it. */
export interface TestClock {
  now(): number
  advance(milliseconds: number): void
}

export function createTestClock(start = Date.now()): TestClock {
  let time = start
  return { now: () => time, advance: (milliseconds) => (time += milliseconds) }
}

interface Call extends Pick<InjectOptions, 'headers' | 'query'> {
  /** The client's IP address. By default, each call has a different one. */
  from?: string
  body?: unknown
}

export interface Reply {
  status: number
  headers: LightMyRequestResponse['headers']
  // biome-ignore lint/suspicious/noExplicitAny: the type of a reply is not known at compile time.
  json: any
  text: string
  /** The cookies that the response sets, by name. */
  cookies: Record<string, { value: string; [attribute: string]: unknown }>
}

export interface TestApp extends App {
  clock: TestClock
  call(method: string, url: string, call?: Call): Promise<Reply>
  get(url: string, call?: Call): Promise<Reply>
  post(url: string, body?: unknown, call?: Call): Promise<Reply>
  /** Waits for the message to this address that follows `count` earlier messages. */
  mailTo(address: string, count?: number): Promise<InboxMessage>
  /** The service's log so far. */
  logged(): string
}

type Options = Omit<AppOptions, 'config' | 'log' | 'clock'> & {
  env?: Record<string, string>
  clock?: TestClock
  /** The modules to install, with all their components, before the first request. */
  modules?: string[]
}

/**
 * Starts the application on its own database: the given one, one on the TEST_DATABASE_URL server, or an embedded one.
 */
export async function startTestApp({
  env = {},
  clock = createTestClock(),
  modules = [],
  ...options
}: Options = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'wardenry-test-'))
  const place = options.database ? { url: undefined, drop: async () => {} } : await databasePlace()
  const config = loadConfig({
    ...baseEnvironment,
    DATA_DIR: dataDir,
    ...(place.url && { DATABASE_URL: place.url }),
    MODULES_AUTO_INSTALL: modules.map((id) => `${id}:all`).join(),
    ...env,
  })
  const lines: string[] = []
  const leaks = watchLeaks()
  const log = createLogger('trace', [], (line) => {
    lines.push(line)
    leaks.logged(line)
  })
  const database =
    options.database ??
    (await connectDatabase({
      url: place.url,
      poolMax: 10,
      dataDir: undefined,
      archive: currentArchive(),
      onDown: () => {},
    }))
  const app = await createApp({ ...options, config, log, clock, database })
  const call = caller(app, leaks)
  return {
    ...app,
    clock,
    call,
    get: (url, options) => call('GET', url, options),
    post: (url, body, options) => call('POST', url, { ...options, body }),
    mailTo: (address, count = 0) => waitForMail(app, address, count),
    logged: () => lines.join(''),
    async stop() {
      try {
        await leaks.end(app)
      } finally {
        await app.stop()
        await place.drop()
        await rm(dataDir, { recursive: true, force: true })
      }
    },
  }
}

const baseEnvironment = {
  NODE_ENV: 'test',
  AUTH_SECRET: 'auth-Zk3vQ8mN1xR6tY9wL4cB7dHs2JfGpVeU',
  DATA_KEYS: `1:${Buffer.alloc(32, 7).toString('base64url')}`,
  BRIDGE_SECRET: bridgeSecret,
  // The codes that tests issue with handover.ts are for these addresses.
  ALLOWED_REDIRECTS: 'https://shop.example,https://blog.example,https://shop.example.net,com.example.shop://',
  ARGON2_MEMORY_KIB: '8192',
  ARGON2_TIME: '1',
  // Requests come from changing IP addresses, which would be recorded.
  SESSION_BINDING: 'off',
  ...productionLimits,
}

/**
 * Creates a database on the TEST_DATABASE_URL server. Returns undefined if the variable is not set, in which case the
 * embedded database is used.
 */
async function databasePlace(): Promise<{ url: string | undefined; drop: () => Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL
  if (!server) return { url: undefined, drop: async () => {} }
  const url = await createDatabase(server, undefined, process.env.TEST_TEMPLATE)
  return { url, drop: () => dropDatabase(server, url) }
}

let addresses = 0

/** RFC 2544 benchmarking addresses: 198.18.0.0/15. */
const nextAddress = (): string => {
  addresses++
  return `198.18.${(addresses >> 8) & 255}.${addresses & 255}`
}

const caller =
  (app: App, leaks: LeakWatch) =>
  async (method: string, url: string, { from = nextAddress(), body, headers, ...rest }: Call = {}): Promise<Reply> => {
    const isText = typeof body === 'string' || body instanceof Buffer
    leaks.sent(url, body, rest.query)
    const isStream = url.startsWith('/auth/bridge/events')
    const reply = await app.http.inject({
      method: method as 'GET',
      url,
      remoteAddress: from,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { payload: isText ? (body as string) : JSON.stringify(body) }),
      ...(isStream && { payloadAsStream: true }),
      ...rest,
    })
    const text = isStream ? await beginningOf(reply) : reply.body
    leaks.replied(JSON.stringify(reply.headers) + text, `${method} ${url.replace(/\?.*$/, '')}`)
    const isJson = String(reply.headers['content-type']).includes('json')
    const json = isJson && text !== '' ? JSON.parse(text) : undefined
    if (reply.statusCode >= 400 && json?.code)
      assertDeclared(app, { method, url, status: reply.statusCode, code: json.code })
    return {
      status: reply.statusCode,
      headers: reply.headers,
      json,
      text,
      cookies: Object.fromEntries(reply.cookies.map((cookie) => [cookie.name, cookie])),
    }
  }

/** The first bytes of an endless stream, or the complete body of any other response. */
export async function beginningOf(reply: LightMyRequestResponse): Promise<string> {
  const isEndless = String(reply.headers['content-type']).startsWith('text/event-stream')
  let text = ''
  for await (const bytes of reply.stream()) {
    text += bytes
    if (isEndless) break
  }
  return text
}

async function waitForMail(app: App, address: string, count: number): Promise<InboxMessage> {
  const deadline = Date.now() + 30 * second
  for (;;) {
    // Emails are sent concurrently, so they are sorted by when they were requested.
    const arrived = app.inbox?.list({ to: address }).toSorted((one, other) => (one.id < other.id ? -1 : 1))
    const message = arrived?.[count]
    if (message) return message
    if (Date.now() > deadline) throw new Error(`no mail to ${address} arrived`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
