import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Context } from '../../src/context.ts'
import type { Tables } from '../../src/db/tables.ts'
import { listPosts } from '../../src/modules/blog/lists/list-posts.ts'
import { plainProvider } from '../../src/modules/blog/type-rules.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { openScratch } from '../../test/support/scratch.ts'
import type { ClosedResult } from '../load/closed.ts'
import { assertOnly } from '../load/status.ts'
import { type SeededPosts, seedPosts } from '../million-posts.ts'
import { percentile } from '../numbers.ts'
import { cores, startPinned } from '../process/pinned.ts'
import { type Comparison, compare } from '../rounds.ts'
import { type Service, startService } from '../service.ts'
import { captureResponse } from '../yardsticks/capture.ts'
import { measureRendering, type RenderingFigures } from './rendering.ts'

const repeats = 15
const settings = {
  MODULES_AUTO_INSTALL: 'blog:all',
  BLOG_ENABLED: 'true',
  RATE_LIMIT_READ: '10000000/1s',
  RATE_LIMIT_WRITE: '10000000/1s',
}

type Caller = 'reader' | 'writer' | 'admin'
interface ListRequest {
  query: string
  caller?: Caller
}

/** The measured requests. The number of matching posts is set in bench/million-posts.ts. */
const lists = (writerId: string): Record<string, ListRequest> => ({
  strangers: { query: '' },
  signed_in: { query: '', caller: 'reader' },
  admin: { query: '', caller: 'admin' },
  mine: { query: 'mine=true', caller: 'writer' },
  drafts_of_all: { query: 'status=draft', caller: 'admin' },
  scheduled_of_all: { query: 'status=scheduled', caller: 'admin' },
  with_trash: { query: 'include_deleted=true', caller: 'admin' },
  with_body: { query: 'include=body' },
  category_of_30_percent: { query: 'category=common' },
  category_of_5_percent: { query: 'category=usual' },
  category_of_500: { query: 'category=rare' },
  tag_of_20_percent: { query: 'tag=common' },
  tag_of_1_percent: { query: 'tag=usual' },
  tag_of_100: { query: 'tag=rare' },
  author: { query: `author=${writerId}` },
  lang_of_70_percent: { query: 'lang=en' },
  lang_of_5_percent: { query: 'lang=de' },
  lang_of_100: { query: 'lang=eu' },
  a_year: { query: `published_after=${daysAgo(700)}&published_before=${daysAgo(335)}` },
  a_week: { query: `published_after=${daysAgo(17)}&published_before=${daysAgo(10)}` },
  visibility_auth: { query: 'visibility=auth', caller: 'reader' },
  visibility_password: { query: 'visibility=password' },
  word_of_10: { query: 'q=needle' },
  two_words: { query: 'q=word4000+word3000' },
  word_of_1_percent: { query: 'q=word4990' },
  word_of_10_percent: { query: 'q=word50' },
  by_title: { query: 'sort=title' },
  by_title_rising: { query: 'sort=title&order=asc' },
  by_change: { query: 'sort=updated_at' },
  by_creation_rising: { query: 'sort=created_at&order=asc' },
  by_views: { query: 'sort=views' },
  by_views_rising: { query: 'sort=views&order=asc' },
  oldest_first: { query: 'order=asc' },
  category_and_author: { query: `category=usual&author=${writerId}` },
  category_and_tag: { query: 'category=usual&tag=usual' },
  category_and_lang_by_title: { query: 'category=usual&lang=es&sort=title' },
  category_and_year: { query: `category=usual&published_after=${daysAgo(700)}&published_before=${daysAgo(335)}` },
  category_and_word: { query: 'category=usual&q=word4990' },
  page_one_hundred: { query: 'page=100' },
  page_one_thousand: { query: 'page=1000', caller: 'reader' },
})

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString()
}

export interface ListFigures {
  p50: number
  p95: number
  total: number
  /** The node types in PostgreSQL's query plan for the page, starting at the root. */
  plan: string[]
}

export interface PostsFigures {
  lists: Record<string, ListFigures>
  /** Getting one of a thousand published posts by slug, compared with a node:http server that sends the same bytes. */
  bySlug: Comparison
  rendering: RenderingFigures
}

export async function measurePosts(): Promise<PostsFigures> {
  const scratch = await openScratch('bench-posts')
  const postgres = await startPostgres({ durable: true, sharedBuffers: '1GB' })
  try {
    const databaseUrl = await postgres.createDatabase('bench')
    const start = () => startService(databaseUrl, scratch.directory, settings)
    // The first start creates the tables.
    await (await start()).stop()
    const users = await seedPosts(databaseUrl)
    const service = await start()
    try {
      return {
        lists: await measureLists(service.port, databaseUrl, users),
        bySlug: await measureSlugs(service),
        rendering: await measureRendering(service, users.writer),
      }
    } finally {
      await service.stop()
    }
  } finally {
    await postgres.stop()
    await scratch.close()
  }
}

async function measureLists(port: number, databaseUrl: string, users: SeededPosts) {
  const planner = plannerFor(databaseUrl, users)
  const figures: Record<string, ListFigures> = {}
  try {
    for (const [name, { query, caller }] of Object.entries(lists(users.writerId))) {
      const url = `http://127.0.0.1:${port}/api/v1/posts?${query}`
      const headers = caller ? { 'x-session-id': users[caller] } : undefined
      figures[name] = { ...(await timesOf(url, headers)), plan: await planner.planOf(query, caller) }
    }
    return figures
  } finally {
    await planner.close()
  }
}

async function timesOf(url: string, headers: Record<string, string> | undefined) {
  const times: number[] = []
  let total = 0
  // The first requests are not counted, because they warm up PostgreSQL's and V8's caches.
  for (let count = -3; count < repeats; count++) {
    const started = performance.now()
    const reply = await fetch(url, headers ? { headers } : {})
    const body = (await reply.json()) as { meta?: { total: number } }
    if (!body.meta) throw new Error(`${url} was answered ${reply.status}: ${JSON.stringify(body)}`)
    if (count >= 0) times.push(performance.now() - started)
    total = body.meta.total
  }
  const sorted = times.toSorted((left, right) => left - right)
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), total }
}

/** Runs the queries of the measured lists in this process to get the plan of the statement that finds a page. */
function plannerFor(databaseUrl: string, { writerId }: SeededPosts) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  const found: { sql: string; parameters: readonly unknown[] }[] = []
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      if (query.sql.includes('WITH page')) found.push(query)
    },
  })
  const parts = {
    db,
    clock: { now: () => Date.now() },
    modules: { isInstalled: () => true },
    postTypeProvider: plainProvider(undefined),
  }
  const ctx = { ...parts, config: { PUBLIC_URL: 'http://localhost' } } as unknown as Context
  return {
    async planOf(query: string, caller: Caller | undefined): Promise<string[]> {
      found.length = 0
      const input: Record<string, unknown> = Object.fromEntries(new URLSearchParams(query))
      for (const [name, value] of Object.entries(input)) {
        if (value === 'true') input[name] = true
        if (name === 'page') input[name] = Number(value)
      }
      const userType = caller === 'reader' ? 'customer' : caller
      await listPosts(ctx, userType ? { id: writerId, user_type: userType } : undefined, input)
      const [statement] = found
      if (!statement) return []
      const { rows } = await pool.query(`EXPLAIN (FORMAT JSON) ${statement.sql}`, [...statement.parameters])
      const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: PlanNode }]
      const page = (plan.Plans ?? [])
        .concat(plan)
        .flatMap(nodesOf)
        .find((node) => node['Subplan Name'] === 'CTE page')
      return page ? nodesOf(page).map(nameOf) : []
    },
    close: () => pool.end(),
  }
}

interface PlanNode {
  'Node Type': string
  'Index Name'?: string
  'Subplan Name'?: string
  Plans?: PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
const nameOf = (node: PlanNode): string =>
  [node['Node Type'], node['Index Name']].filter((part) => part !== undefined).join(' ')

export async function measureSlugs(service: Service): Promise<Comparison> {
  const load = startPinned(join(import.meta.dirname, '../load/main.ts'), cores.others)
  const yardstick = startPinned(join(import.meta.dirname, '../yardsticks/http.ts'), cores.measured)
  try {
    const reply = await fetch(`http://127.0.0.1:${service.port}/api/v1/posts?limit=100`)
    const { data } = (await reply.json()) as { data: { slug: string; visibility: string }[] }
    const slugs = data.filter(({ visibility }) => visibility === 'public').map(({ slug }) => slug)
    const requests = { name: 'slugs', method: 'GET' as const, headers: {}, bodies: [''] }
    const paths = slugs.map((slug) => `/api/v1/posts/${slug}`)
    await load.ask('prepare', { ...requests, path: paths[0], paths })
    const barePort = await yardstick.ask<number>(
      'listen',
      await captureResponse(service.port, { ...requests, path: paths[0] ?? '' }),
    )
    const work = async (port: number, milliseconds: number) => {
      const result = await load.ask<ClosedResult>('closed', { requests: 'slugs', port, connections: 64, milliseconds })
      assertOnly(result.statuses, 200, service.output())
      return result.replies
    }
    await work(service.port, 2_500)
    return await compare(
      { process: service, work: (milliseconds) => work(service.port, milliseconds) },
      { process: yardstick, work: (milliseconds) => work(barePort, milliseconds) },
      { rounds: 6, leadIn: 500, measured: 1_500 },
    )
  } finally {
    await yardstick.stop()
    await load.stop()
  }
}
