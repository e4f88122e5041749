import pg from 'pg'
import { startPostgres } from '../../test/support/postgres.ts'
import { openScratch } from '../../test/support/scratch.ts'
import { seedMillion } from '../million.ts'
import { seedEvents } from '../million-events.ts'
import { seedPosts } from '../million-posts.ts'
import { percentile } from '../numbers.ts'
import { startService } from '../service.ts'

const repeats = 20
const posts = 100_000

const settings = {
  MODULES_AUTO_INSTALL: 'all',
  BLOG_ENABLED: 'true',
  RATE_LIMIT_ADMIN: '10000000/1s',
  RATE_LIMIT_READ: '10000000/1s',
  // Without a second factor, a superadmin would see only the page that requires one.
  TWO_FACTOR_REQUIRED_FOR: '',
}

const pages = (userId: string) => ({
  overview: '/admin',
  overview_of_a_year: '/admin?period=12mo',
  people: '/admin/people',
  people_searched: '/admin/people?q=f4240',
  people_by_role: '/admin/people?userType=admin',
  one_person: `/admin/people/${userId}`,
  audit: '/admin/audit',
  audit_of_a_person: `/admin/audit?target=${userId}`,
  audit_failures: '/admin/audit?outcome=failure',
  audit_rare_event: '/admin/audit?event=password_changed',
  security: '/admin/security',
  modules: '/admin/modules',
  messages: '/admin/messages',
  templates: '/admin/messages/templates',
  content: '/admin/content',
  settings: '/admin/settings',
  privacy: '/admin/privacy',
})

export interface ConsoleFigures {
  /** Response times in milliseconds of sequential requests, and the uncompressed size in bytes. */
  pages: Record<string, { p50: number; p95: number; bytes: number }>
}

/** Measures the console pages with a million users, ten million audit events and a hundred thousand posts. */
export async function measureConsole(say: (line: string) => void): Promise<ConsoleFigures> {
  const scratch = await openScratch('bench-console')
  const postgres = await startPostgres({ durable: true, sharedBuffers: '2GB' })
  try {
    const databaseUrl = await postgres.createDatabase('bench')
    const start = () => startService(databaseUrl, scratch.directory, settings)
    // The first start creates the tables.
    await (await start()).stop()
    say('Users')
    const sessionToken = await seedMillion(databaseUrl)
    say('Posts')
    await seedPosts(databaseUrl, posts)
    say('Audit events')
    await seedEvents(databaseUrl)
    const userId = await promote(databaseUrl)
    const service = await start()
    try {
      const figures: ConsoleFigures['pages'] = {}
      for (const [name, path] of Object.entries(pages(userId))) {
        figures[name] = await timesOf(`http://127.0.0.1:${service.port}${path}`, sessionToken)
        say(`${path} ${JSON.stringify(figures[name])}`)
      }
      return { pages: figures }
    } finally {
      await service.stop()
    }
  } finally {
    await postgres.stop()
    await scratch.close()
  }
}

/** Makes the seeded admin a superadmin, who can open every page. Returns a customer's id. */
async function promote(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query("UPDATE users SET user_type = 'superadmin' WHERE user_name = 'boss'")
    const { rows } = await client.query("SELECT id FROM users WHERE user_type = 'customer' OFFSET 1000 LIMIT 1")
    return rows[0].id
  } finally {
    await client.end()
  }
}

async function timesOf(url: string, sessionToken: string) {
  const times: number[] = []
  let bytes = 0
  // The first requests are not counted, because they warm up PostgreSQL's and V8's caches.
  for (let count = -3; count < repeats; count++) {
    const started = performance.now()
    const reply = await fetch(url, {
      headers: { cookie: `session_id=${sessionToken}`, accept: 'text/html' },
      redirect: 'manual',
    })
    const body = await reply.text()
    if (reply.status !== 200) throw new Error(`${url} was answered ${reply.status}: ${body.slice(0, 500)}`)
    if (count >= 0) times.push(performance.now() - started)
    bytes = Number(reply.headers.get('content-length') ?? Buffer.byteLength(body))
  }
  const sorted = times.toSorted((left, right) => left - right)
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), bytes }
}
