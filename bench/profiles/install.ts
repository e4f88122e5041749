import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { sha256Bytes } from '../../src/lib/hash.ts'
import { newId, newSessionToken } from '../../src/lib/ids.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { openScratch } from '../../test/support/scratch.ts'
import { seedMillion } from '../million.ts'
import { bridgeSecret, startService } from '../service.ts'

/** How installing a module affects other requests. */
export interface InstallFigures {
  module: string
  run_ms: number
  /** How long the `users` table was exclusively locked and therefore unreadable. Sampled every few milliseconds. */
  users_locked_ms: number
  slowest_request_ms: number
  requests: number
  failed: number
}

const userCount = 20
/** Without the cache, every validation reads `users`. The rate limits are raised so that no request hits them. */
const settings = {
  SESSION_VALIDATION_CACHE_TTL: '0s',
  RATE_LIMIT_READ: '10000000/1s',
  RATE_LIMIT_WRITE: '10000000/1s',
}

/** Installs the modules one after the other in a database with a million users. */
export async function measureInstalls(modules: string[]): Promise<InstallFigures[]> {
  const scratch = await openScratch('bench-install')
  const postgres = await startPostgres({ durable: true })
  try {
    const databaseUrl = await postgres.createDatabase('bench')
    const start = () => startService(databaseUrl, scratch.directory, settings)
    // The first start creates the tables.
    await (await start()).stop()
    const admin = await seedMillion(databaseUrl)
    const service = await start()
    try {
      const figures: InstallFigures[] = []
      const base = `http://127.0.0.1:${service.port}`
      for (const module of modules) figures.push(await measureInstall(databaseUrl, base, admin, module))
      return figures
    } finally {
      await service.stop()
    }
  } finally {
    await postgres.stop()
    await scratch.close()
  }
}

/**
 * Installs a module while clients read and write users by validating sessions, updating profiles and requesting
 * `/auth/me`.
 */
async function measureInstall(
  databaseUrl: string,
  base: string,
  admin: string,
  module: string,
): Promise<InstallFigures> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const bearers = await openSessions(client)
  const load = keepAsking(base, bearers)
  const lock = watchLock(client)
  await sleep(2_000)
  const started = performance.now()
  const reply = await fetch(`${base}/api/v1/modules/install/${module}/run`, {
    method: 'POST',
    headers: { 'x-session-id': admin },
  })
  const run = performance.now() - started
  if (reply.status !== 200) throw new Error(await reply.text())
  await sleep(2_000)
  const [seen, locked] = [await load.stop(), await lock.stop()]
  await client.end()
  return { module, run_ms: Math.round(run), users_locked_ms: Math.round(locked), ...seen }
}

async function openSessions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM users WHERE user_type = $1 LIMIT $2', [
    'customer',
    userCount,
  ])
  const bearers: string[] = []
  for (const { id } of rows) {
    const sessionToken = newSessionToken()
    await client.query(
      `INSERT INTO sessions (id, token_hash, user_id, status, created_at, started_at, last_used_at, proved_at)
       VALUES ($1, $2, $3, 'active', now(), now(), now(), now())`,
      [newId(), sha256Bytes(sessionToken), id],
    )
    bearers.push(sessionToken)
  }
  return bearers
}

function keepAsking(base: string, bearers: string[]) {
  let [stopped, slowest, requests, failed] = [false, 0, 0, 0]
  const ask = async (path: string, init: RequestInit) => {
    const started = performance.now()
    const reply = await fetch(base + path, init).catch(() => undefined)
    await reply?.arrayBuffer()
    requests++
    if (reply?.status !== 200) failed++
    slowest = Math.max(slowest, performance.now() - started)
  }
  const live = async (sessionToken: string) => {
    const headers = {
      'x-session-id': sessionToken,
      'content-type': 'application/json',
      'x-bridge-secret': bridgeSecret,
    }
    while (!stopped) {
      await ask('/auth/bridge/validate', {
        method: 'POST',
        body: JSON.stringify({ session_id: sessionToken }),
        headers,
      })
      await ask('/auth/profile', { method: 'PUT', body: JSON.stringify({ title: `${requests}` }), headers })
      await ask('/auth/me', { headers })
      await sleep(50)
    }
  }
  const all = Promise.all(bearers.map(live))
  return {
    async stop() {
      stopped = true
      await all
      return { slowest_request_ms: Math.round(slowest), requests, failed }
    },
  }
}

function watchLock(client: pg.Client) {
  let [stopped, locked, last] = [false, 0, performance.now()]
  const watch = async () => {
    while (!stopped) {
      const { rowCount } = await client.query(
        `SELECT 1 FROM pg_locks WHERE relation = 'users'::regclass AND mode = 'AccessExclusiveLock'`,
      )
      const now = performance.now()
      if (rowCount) locked += now - last
      last = now
      await sleep(5)
    }
  }
  const watching = watch()
  return {
    async stop() {
      stopped = true
      await watching
      return locked
    },
  }
}
