import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'
import { deleteOldEvents } from '../../src/audit/queries.ts'
import { connectDatabase } from '../../src/db/connect.ts'
import { sha256Bytes } from '../../src/lib/hash.ts'
import { deleteEndedSessions } from '../../src/sessions/end-queries.ts'
import { listFilters, listOrders, timeUserLists } from '../load/user-lists.ts'
import { entry, production } from '../service.ts'
import { type Stage, setStage } from '../stage.ts'
import { seedTenMillion, tokenOf } from '../ten-million.ts'
import { measureValidate } from './validate.ts'

const sessionsPerUser = 3
/** Validated at random: more sessions than the database's cache holds. */
const validated = 100_000

/**
 * Measures what may depend on the number of users, with three sessions and three audit events per user. Prints rows as
 * they are measured.
 */
export async function measureScale(users: number, say: (line: string) => void): Promise<void> {
  let admin = ''
  let seededAt = new Date()
  const sizes = { users, sessionsPerUser, events: 3 * users }
  const populate = async (databaseUrl: string) => {
    seededAt = new Date()
    admin = await seedTenMillion(databaseUrl, sizes, say)
    return {
      emails: ['nobody@example.com'],
      bearers: await randomTokens(databaseUrl, validated, users * sessionsPerUser),
    }
  }
  const stage = await setStage(populate, { sharedBuffers: '6GB' })
  try {
    await sizesOf(stage, say)
    await userLists(stage, admin, seededAt, say)
    const figures = await measureValidate(stage, 5, { SESSION_VALIDATION_CACHE_TTL: '0s' })
    say(`validation from the database: ${JSON.stringify(figures)}`)
    await cleanup(stage, say)
    await endAll(stage, say)
  } finally {
    await stage.close()
  }
}

/** Tokens of sessions that are valid. */
async function randomTokens(databaseUrl: string, count: number, sessions: number): Promise<string[]> {
  const tokens: string[] = []
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM sessions TABLESAMPLE BERNOULLI (least(100, 400.0 * $1 / $2))
       WHERE id::text LIKE '01980000-0003%' AND status = 'active' AND last_used_at > now() - interval '1 day' AND started_at > now() - interval '5 days'
         AND user_id NOT IN (SELECT user_id FROM user_blocks) AND user_id IN (SELECT id FROM users WHERE user_type = 'customer')
       LIMIT $1`,
      [count, sessions],
    )
    tokens.push(...rows.map(({ id }) => tokenOf(Number.parseInt(id.slice(-12), 16))))
  })
  return tokens
}

async function sizesOf({ databaseUrl }: Stage, say: (line: string) => void): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT relname, reltuples::bigint AS rows, pg_table_size(oid) AS bytes, pg_indexes_size(oid) AS index_bytes
       FROM pg_class WHERE relkind = 'r' AND relname IN ('users', 'sessions', 'audit_events') ORDER BY 1`,
    )
    for (const { relname, rows: count, bytes, index_bytes: indexes } of rows)
      say(`${relname}: ${count} rows, ${perRow(bytes, count)} bytes each, ${perRow(indexes, count)} of indexes`)
    const { rows: indexes } = await client.query(
      `SELECT indexrelname AS name, pg_relation_size(indexrelid) AS bytes FROM pg_stat_user_indexes
       WHERE relname IN ('users', 'sessions', 'audit_events') ORDER BY relname, 1`,
    )
    for (const { name, bytes } of indexes) say(`  ${name}: ${Math.round(bytes / 2 ** 20)} MiB`)
  })
}

const perRow = (bytes: string, rows: string): number => Math.round(Number(bytes) / Number(rows))

/** Every filter in the default order, and every order without a filter, on two pages; and all pairs on the first page. */
async function userLists(stage: Stage, admin: string, seededAt: Date, say: (line: string) => void): Promise<void> {
  const service = await stage.startService({ RATE_LIMIT_ADMIN: '10000000/1s' })
  const url = `http://127.0.0.1:${service.port}`
  const filters = listFilters(seededAt)
  const none = { 'no filter': '' }
  try {
    const parts = [
      { filters, orders: ['-created_at'], pages: [1, 1_000] },
      { filters: none, orders: listOrders, pages: [1, 1_000] },
      { filters, orders: listOrders, pages: [1] },
    ]
    for (const part of parts)
      await timeUserLists(url, admin, { repeats: 5, ...part }, ({ filter, order, page, ms, total }) =>
        say(`${filter}, ${order}, page ${page}: ${ms} ms, total ${total}`),
      )
    // An export requires recent authentication.
    await withClient(stage.databaseUrl, async (client) => {
      await client.query('UPDATE sessions SET proved_at = now(), last_used_at = now() WHERE token_hash = $1', [
        sha256Bytes(admin),
      ])
    })
    const started = performance.now()
    const reply = await fetch(
      `${url}/auth/users/export?created_from=${new Date(Date.now() - 864e5 * 10).toISOString()}`,
      {
        headers: { 'x-session-id': admin },
      },
    )
    const lines = (await reply.text()).split('\n').length
    say(`export: ${reply.status}, ${lines} lines, ${perThing(started, lines)} microseconds each`)
  } finally {
    await service.stop()
  }
}

const perThing = (started: number, count: number): number => Math.round(((performance.now() - started) * 1_000) / count)

const batches = 20

/** The statements of the cleanup job. */
async function cleanup({ databaseUrl }: Stage, say: (line: string) => void): Promise<void> {
  const options = {
    url: databaseUrl,
    poolMax: 1,
    dataDir: '',
    archive: undefined,
    onDown: () => {},
    isForCommand: true,
  }
  const database = await connectDatabase(options)
  try {
    await database.alone(async (db) => {
      for (const [name, remove] of Object.entries({ sessions: deleteEndedSessions, audit_events: deleteOldEvents })) {
        const started = performance.now()
        for (let batch = 0; batch < batches; batch++) await remove(db, new Date(), 1_000)
        say(`cleanup of ${name}: ${perThing(started, batches * 1_000)} microseconds per row`)
      }
    })
  } finally {
    await database.close()
  }
}

async function endAll({ databaseUrl }: Stage, say: (line: string) => void): Promise<void> {
  const started = performance.now()
  const env = { ...process.env, ...production, DATABASE_URL: databaseUrl }
  const { stdout } = await promisify(execFile)(process.execPath, [entry, 'sessions', 'end-all', '--yes'], { env })
  say(`sessions end-all: ${Math.round((performance.now() - started) / 1_000)} s. ${stdout.trim()}`)
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
