import { setTimeout as sleep } from 'node:timers/promises'
import { connectDatabase } from '../../src/db/connect.ts'
import { second } from '../../src/lib/time.ts'
import { type OAuthAdmin, oauthAdmin, oauthEnv, oauthModules } from '../modules/oauth/support.ts'
import { migratedDatabase } from '../nodes/nodes.ts'
import { eventually } from '../support/eventually.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { createTestClock, startTestApp, type TestApp } from '../support/test-app.ts'

export interface TokenNode {
  app: TestApp
  admin: OAuthAdmin
  toDatabase: FaultProxy
  /** Undefined without Redis. */
  toRedis: FaultProxy | undefined
}

export interface TokenNodes {
  nodes: readonly [TokenNode, TokenNode]
  /** Lets the copies in Redis become old enough to be used by a node that has lost its connection before. */
  pass(): void
  stop(): Promise<void>
}

/** Two nodes with an administrator each, whose connections to the servers can be disturbed. */
export async function startTokenNodes(redisUrl: string | undefined): Promise<TokenNodes> {
  const database = await migratedDatabase()
  // Does not move, so that nothing is rejected because a copy has expired.
  const clock = createTestClock()
  const start = async () => {
    const toDatabase = await startFaultProxy(Number(new URL(database.url).port))
    const toRedis = redisUrl === undefined ? undefined : await startFaultProxy(Number(new URL(redisUrl).port))
    const url = toDatabase.through(database.url)
    const env = { ...oauthEnv, DATABASE_URL: url, ...(toRedis && redisUrl && { REDIS_URL: toRedis.through(redisUrl) }) }
    const opened = await connectDatabase({ url, poolMax: 10, dataDir: undefined, archive: undefined, onDown: () => {} })
    const app = await startTestApp({ modules: oauthModules, env, database: opened, clock })
    return { app, toDatabase, toRedis }
  }
  const one = await start()
  const other = await start()
  const admin = await oauthAdmin(one.app)
  const nodes = [
    { ...one, admin },
    { ...other, admin: await oauthAdmin(other.app, admin.root) },
  ] as const
  const stop = async () => {
    for (const { app, toDatabase, toRedis } of [other, one]) {
      for (const proxy of [toDatabase, toRedis]) proxy?.heal()
      await app.stop()
      await Promise.all([toDatabase, toRedis].map((proxy) => proxy?.stop()))
    }
    await database.drop()
  }
  return { nodes, pass: () => clock.advance(2 * second), stop }
}

/** What happens to the messages about a revocation on one node while it is made. */
export interface MessageFault {
  name: string
  begin(by: TokenNode, other: TokenNode): void
  /** The other node undoes the change at once, so that its message arrives first. */
  isUndoneAtOnce?: true
  /** The other node can neither answer nor hear of anything. */
  isDeaf?: true
}

export const deaf: MessageFault = {
  name: 'the other node is cut off from both servers',
  isDeaf: true,
  begin(_, other) {
    other.toDatabase.blackhole()
    other.toRedis?.blackhole()
  },
}

export const faults: readonly MessageFault[] = [
  { name: 'nothing is lost', begin() {} },
  {
    name: 'messages are lost',
    begin(by, other) {
      for (const { toRedis } of [by, other]) toRedis?.cut()
    },
  },
  { name: 'messages arrive after the end of an outage', begin: (by) => by.toRedis?.blackhole() },
  {
    name: 'messages are late',
    begin(by, other) {
      for (const { toRedis } of [by, other]) toRedis?.latency(150)
    },
  },
  { name: 'messages are reordered', begin: (by) => by.toRedis?.latency(300), isUndoneAtOnce: true },
]

/** Ends all faults, and waits until both nodes are connected again. */
export async function heal(nodes: readonly TokenNode[]): Promise<void> {
  for (const { toDatabase, toRedis } of nodes) for (const proxy of [toDatabase, toRedis]) proxy?.heal()
  for (const { app, toRedis } of nodes)
    await eventually(async () => {
      const { checks } = (await app.get('/health/ready')).json
      return checks.database === 'ok' && (!toRedis || checks.store === 'ok') && app.ctx.sessions.feedAge() < second
    })
}

export interface Watched {
  /** The last start of an attempt that succeeded, and the first later one of an attempt that did not, in milliseconds. */
  acceptedAt: number
  rejectedFrom: number
  /** Some of the successes. */
  seen: string[]
}

/**
 * Repeats the attempt until the watch is over. Attempts that wait for a server delay neither the end nor further attempts.
 * `rest` resolves when all of them have ended.
 */
export async function watch(
  attempt: () => Promise<readonly string[]>,
  isOver: (so: Watched) => boolean,
): Promise<{ watched: Watched; rest: Promise<unknown> }> {
  const watched: Watched = { acceptedAt: Number.NEGATIVE_INFINITY, rejectedFrom: Number.POSITIVE_INFINITY, seen: [] }
  const startedAt = performance.now()
  const rejectedAt: number[] = []
  const all: Promise<void>[] = []
  const once = async () => {
    const asked = performance.now() - startedAt
    const accepted = await attempt()
    if (accepted.length === 0) rejectedAt.push(asked)
    else watched.acceptedAt = Math.max(watched.acceptedAt, asked)
    watched.seen.push(...accepted.slice(0, 3 - watched.seen.length))
    watched.rejectedFrom = Math.min(...rejectedAt.filter((at) => at > watched.acceptedAt))
  }
  while (!isOver(watched)) {
    const one = once()
    all.push(one)
    await Promise.race([one, sleep(100)])
    await sleep(5)
  }
  return { watched, rest: Promise.all(all) }
}
