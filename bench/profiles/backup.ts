import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { connectDatabase } from '../../src/db/connect.ts'
import type { Db } from '../../src/db/tables.ts'
import { startService } from '../../test/support/child.ts'
import { findPostgres, startPostgres } from '../../test/support/postgres.ts'
import { openScratch } from '../../test/support/scratch.ts'
import { residentMemory } from '../process/read-proc.ts'

export interface BackupFigures {
  database: 'embedded' | 'postgres'
  users: number
  backup_s: number
  backup_mb: number
  backup_peak_mib: number
  /** The slowest request during the backup. */
  slowest_request_ms: number
  restore_s: number
  restore_peak_mib: number
}

const picturesEvery = 10
const pictureBytes = 20_000
const root = join(import.meta.dirname, '../..')

/** Backs up a running service. Each user has a session and a post, and every tenth user has a picture. */
export async function measureBackups(users: number, say: (line: string) => void): Promise<BackupFigures[]> {
  const figures = [await measureOn(undefined, undefined, users, say)]
  if (!findPostgres()) return figures
  const postgres = await startPostgres({ durable: true })
  try {
    const [source, target] = [await postgres.createDatabase(), await postgres.createDatabase()]
    return [...figures, await measureOn(source, target, users, say)]
  } finally {
    await postgres.stop()
  }
}

async function measureOn(
  source: string | undefined,
  target: string | undefined,
  users: number,
  say: (line: string) => void,
): Promise<BackupFigures> {
  const database = source ? 'postgres' : 'embedded'
  const scratch = await openScratch('bench-backup')
  const at = (name: string) => join(scratch.directory, name)
  const secrets = { AUTH_SECRET: randomBytes(32).toString('hex'), DATA_KEYS: `1:${randomBytes(32).toString('base64')}` }
  const settings = (url: string | undefined, name: string) => ({
    ...secrets,
    ...(url && { DATABASE_URL: url }),
    DATA_DIR: at(name),
  })
  const own = settings(source, 'source')
  try {
    const modules = { MODULES_AUTO_INSTALL: 'blog:all' }
    await (await startService({ ...own, ...modules })).stop()
    say(`${database}: adding ${users} users`)
    await seed(source, at('source'), users)
    const service = await startService({ ...own, ...modules })
    say(`${database}: backup`)
    const requests = watchRequests(service.url)
    const backup = await measured(scratch.directory, ['backup', 'backup'], own)
    const slowest = await requests.stop()
    await service.stop()
    say(`${database}: restore`)
    const restore = await measured(scratch.directory, ['restore', 'backup'], settings(target, 'target'))
    say(`${database}: comparing`)
    const [before, after] = [await contents(source, at('source')), await contents(target, at('target'))]
    assert.deepEqual(after, before)
    assert.equal(after.users?.rows, users)
    return {
      database,
      users,
      backup_s: backup.seconds,
      backup_mb: Math.round((await stat(at('backup'))).size / 1e5) / 10,
      backup_peak_mib: backup.peak,
      slowest_request_ms: slowest,
      restore_s: restore.seconds,
      restore_peak_mib: restore.peak,
    }
  } finally {
    await scratch.close()
  }
}

async function withDatabase(url: string | undefined, dataDir: string, work: (db: Db) => Promise<void>): Promise<void> {
  const options = { url, poolMax: 2, dataDir, archive: undefined, onDown: () => {}, isForCommand: true }
  const database = await connectDatabase(options)
  try {
    await database.alone(work)
  } finally {
    await database.close()
  }
}

async function seed(url: string | undefined, dataDir: string, users: number): Promise<void> {
  await withDatabase(url, dataDir, async (db) => {
    for (const text of statements(users)) await sql.raw(text).execute(db)
    for (let last = 0; last < users; last += postsAtOnce)
      await sql.raw(posts(last + 1, Math.min(last + postsAtOnce, users))).execute(db)
  })
  await mkdir(join(dataDir, 'files'), { recursive: true, mode: 0o700 })
  for (let index = picturesEvery; index <= users; index += picturesEvery)
    await writeFile(join(dataDir, 'files', `${String(index).padStart(32, '0')}.webp`), randomBytes(pictureBytes))
}

const id = (prefix: string) => `('00000000-0000-7000-${prefix}-' || lpad(i::text, 12, '0'))::uuid`
const file = "lpad(i::text, 32, '0') || '.webp'"

const statements = (users: number): string[] => [
  `INSERT INTO users (id, email, user_name, password_hash, name, last_name, picture, is_verified, created_at, updated_at)
   SELECT ${id('8000')}, 'user' || i || '@example.com', 'user_' || i, '$argon2id$v=19$m=19456,t=2,p=1$' || md5(i::text) || '$' || md5((i + 1)::text),
     'Ada', 'No. ' || i, CASE WHEN i % ${picturesEvery} = 0 THEN '/auth/pictures/' || ${file} ELSE '' END, true, now(), now()
   FROM generate_series(1, ${users}) AS i`,
  `INSERT INTO sessions (id, token_hash, user_id, status, created_at, started_at, last_used_at, proved_at, user_agent)
   SELECT ${id('9000')}, sha256(i::text::bytea), ${id('8000')}, 'active', now(), now(), now(), now(), repeat('Mozilla/5.0 ', 8)
   FROM generate_series(1, ${users}) AS i`,
  `INSERT INTO audit_events (id, time, event, outcome, target_id, node, details)
   SELECT ${id('a000')}, now(), 'register', 'success', ${id('8000')}, 'bench', '{"proof": "password"}'
   FROM generate_series(1, ${users}) AS i`,
  `INSERT INTO pictures (name, user_id, created_at) SELECT ${file}, ${id('8000')}, now()
   FROM generate_series(${picturesEvery}, ${users}, ${picturesEvery}) AS i`,
]

/** Limits the posts per transaction because a transaction holds a lock for each new post's slug. */
const postsAtOnce = 2_000

const posts = (from: number, to: number): string =>
  `INSERT INTO posts (id, user_id, lang, title, slug, body, body_start, status, published_at)
   SELECT ${id('b000')}, ${id('8000')}, 'en', 'Post ' || i, 'post-' || i, body, left(body, 200), 'published', now()
   FROM (SELECT i, (SELECT string_agg(md5((i + n)::text), ' ') FROM generate_series(1, 30) AS n) AS body
     FROM generate_series(${from}, ${to}) AS i) AS made`

/** The tables whose rows a backup keeps unchanged, and which of their rows. The service itself adds audit events. */
const compared = { users: 'true', posts: 'true', pictures: 'true', audit_events: "node = 'bench'" }

interface Contents {
  rows: number
  checksum: string
}

/** The number of rows of each table, and a checksum of them; the same for the files. */
async function contents(url: string | undefined, dataDir: string) {
  const found: Record<string, Contents> = { files: await filesIn(join(dataDir, 'files')) }
  await withDatabase(url, dataDir, async (db) => {
    for (const [table, condition] of Object.entries(compared)) {
      // A restore changes these columns of users to end their sessions and to forget their trusted devices.
      const { rows } =
        await sql<Contents>`SELECT count(*)::int AS rows, md5(string_agg(digest, '' ORDER BY digest)) AS checksum
        FROM (SELECT md5((to_jsonb(found) - '{session_epoch,two_factor_changed_at}'::text[])::text) AS digest FROM ${sql.table(table)} AS found
          WHERE ${sql.raw(condition)}) AS digests`.execute(db)
      found[table] = rows[0]!
    }
  })
  return found
}

async function filesIn(directory: string) {
  const names = (await readdir(directory)).sort()
  const total = createHash('sha256')
  for (const name of names) total.update(name).update(await readFile(join(directory, name)))
  return { rows: names.length, checksum: total.digest('hex') }
}

/** Runs a command and measures its duration and peak memory. */
async function measured(cwd: string, args: string[], env: Record<string, string>) {
  const started = performance.now()
  const command = spawn(process.execPath, [join(root, 'bin/wardenry.js'), ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  command.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const memory = watchMemory(command)
  const [code] = await once(command, 'close')
  if (code !== 0) throw new Error(`${args.join(' ')} failed: ${said}`)
  return { seconds: Math.round((performance.now() - started) / 100) / 10, peak: memory.peak() }
}

function watchMemory({ pid = 0 }: ChildProcess) {
  let peak = 0
  const timer = setInterval(async () => {
    peak = Math.max(peak, (await residentMemory(pid))?.peak || 0)
  }, 50)
  return {
    peak: () => {
      clearInterval(timer)
      return Math.round(peak)
    },
  }
}

/** Uses an unknown session in every request so that each one reads the database. */
function watchRequests(url: string) {
  let isStopped = false
  let slowest = 0
  const run = async () => {
    while (!isStopped) {
      const started = performance.now()
      const reply = await fetch(`${url}/auth/me`, { headers: { 'x-session-id': `ses_${'a'.repeat(43)}` } })
      await reply.body?.cancel()
      slowest = Math.max(slowest, performance.now() - started)
      await sleep(20)
    }
  }
  const running = run()
  return {
    stop: async () => {
      isStopped = true
      await running
      return Math.round(slowest)
    },
  }
}
