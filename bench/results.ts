import { machine } from './machine.ts'
import { rounded } from './numbers.ts'
import type { CommitFigures } from './profiles/commits.ts'
import type { ConsoleFigures } from './profiles/console.ts'
import { delays, type InsideFigures } from './profiles/inside.ts'
import type { PageFigures } from './profiles/pages.ts'
import type { PostsFigures } from './profiles/posts.ts'
import type { SearchFigures } from './profiles/search.ts'
import type { EmbeddedStart, PostgresStart } from './profiles/start.ts'
import type { StormFigures } from './profiles/storm.ts'
import type { ValidateFigures } from './profiles/validate.ts'
import type { WebhookFigures } from './profiles/webhooks.ts'
import type { WorkersFigures } from './profiles/workers.ts'
import type { Comparison } from './rounds.ts'

export interface Figures {
  embedded: EmbeddedStart
  /** Undefined if PostgreSQL is not installed. */
  postgres: PostgresFigures | undefined
  /** These profiles run only on request. Null if not measured. */
  search: SearchRow | null
  posts: PostsRow | null
  inside: InsideRow | null
  commits: CommitsRow | null
  workers: WorkersRow | null
  webhooks: WebhooksRow | null
  console: ConsoleRow | null
}

export interface PostgresFigures {
  start: PostgresStart
  memory: ValidateFigures
  verify: ValidateFigures
  database: ValidateFigures
  login: Comparison
  storm: StormFigures
  withModules: ValidateFigures
  pages: PageFigures
}

export type Results = ReturnType<typeof resultsOf>

/**
 * The results as stored in results.json. Null means that a value was not measured or cannot be measured on this
 * machine.
 */
export const resultsOf = ({
  embedded,
  postgres,
  search,
  posts,
  inside,
  commits,
  workers,
  webhooks,
  console,
}: Figures) => ({
  date: new Date().toISOString(),
  node: process.version,
  machine: machine(),
  validate_memory: postgres ? validationRow(postgres.memory) : null,
  verify_memory: postgres ? validationRow(postgres.verify) : null,
  validate_memory_with_modules: postgres ? validationRow(postgres.withModules) : null,
  validate_database: postgres ? validationRow(postgres.database) : null,
  login: postgres ? { ratio_to_bare_argon2: rounded(postgres.login.ratio, 3), ...paces(postgres.login) } : null,
  storm: postgres ? storm(postgres.storm) : null,
  pages: postgres ? pagesRow(postgres.pages) : null,
  search,
  posts,
  inside,
  commits,
  workers,
  webhooks,
  console,
  start: {
    first_ms: rounded(embedded.first, 0),
    warm_ms: rounded(embedded.warm, 0),
    postgres_ms: postgres ? rounded(postgres.start.milliseconds, 0) : null,
  },
  rss: {
    idle_embedded_mb: mib(embedded.memory?.now),
    peak_embedded_mb: mib(embedded.memory?.peak),
    idle_postgres_mb: mib(postgres?.start.memory?.now),
    peak_postgres_mb: mib(postgres?.start.memory?.peak),
  },
})

export const validationRow = ({ fromMemory, postgresMicroseconds, ...comparison }: ValidateFigures) => ({
  ratio_to_bare_http: rounded(comparison.ratio, 3),
  ...paces(comparison),
  share_from_memory: rounded(fromMemory, 3),
  postgres_cpu_us_per_request: postgresMicroseconds === undefined ? null : rounded(postgresMicroseconds, 1),
})

const paces = ({ lowest, highest, ours, bare, undisturbed, rounds }: Comparison) => ({
  lowest: rounded(lowest, 3),
  highest: rounded(highest, 3),
  rounds,
  undisturbed,
  per_cpu_second: Math.round(ours.perCpuSecond),
  per_second: Math.round(ours.perSecond),
  bare_per_cpu_second: Math.round(bare.perCpuSecond),
  bare_per_second: Math.round(bare.perSecond),
  busy: rounded(ours.busy, 2),
  bare_busy: rounded(bare.busy, 2),
})

const storm = ({ calm, storm, logins, calmDelay, stormDelay }: StormFigures) => ({
  validate_p95_calm_ms: rounded(calm.p95, 2),
  validate_p95_storm_ms: rounded(storm.p95, 2),
  validate_max_storm_ms: rounded(storm.max, 1),
  event_loop_delay_max_calm_ms: rounded(calmDelay, 1),
  event_loop_delay_max_storm_ms: rounded(stormDelay, 1),
  logins,
})

export type CommitsRow = ReturnType<typeof commitsRow>

export const commitsRow = ({ single, registration, ratio, transactions }: CommitFigures) => ({
  per_second: Math.round(single),
  registrations_per_second: Math.round(registration),
  ratio_to_no_fsync: rounded(ratio, 2),
  transactions_per_second: Math.round(transactions.disk.oneClient),
  transactions_of_eight_clients_per_second: Math.round(transactions.disk.eightClients),
  slow_disk_transactions_per_second: Math.round(transactions.slowDisk.oneClient),
  slow_disk_transactions_of_eight_clients_per_second: Math.round(transactions.slowDisk.eightClients),
})

export type WorkersRow = ReturnType<typeof workersRow>

export const workersRow = ({ single, two, cpuRatio, capacityRatio, apart, calm, storm }: WorkersFigures) => ({
  cpu_ratio_to_single: rounded(cpuRatio, 3),
  capacity_ratio_to_single: rounded(capacityRatio, 2),
  apart: { cpu_ratio: rounded(apart.cpuRatio, 3), capacity_ratio: rounded(apart.capacityRatio, 2) },
  single: { per_second: Math.round(single.perSecond), busy: rounded(single.busy, 2) },
  two: { per_second: Math.round(two.perSecond), busy: rounded(two.busy, 2) },
  calm_p95_ms: rounded(calm.p95, 2),
  storm_p95_ms: rounded(storm.p95, 2),
  storm_ratio: rounded(storm.p95 / calm.p95, 1),
})

export type WebhooksRow = ReturnType<typeof webhooksRow>

export const webhooksRow = ({ burstPerSecond, signInRatio, calm, delivering, arrivedPerSecond }: WebhookFigures) => ({
  burst_per_second: Math.round(burstPerSecond),
  delivered_per_second: Math.round(arrivedPerSecond),
  login_p95_calm_ms: rounded(calm.p95, 1),
  login_p95_delivering_ms: rounded(delivering.p95, 1),
  login_p95_ratio: rounded(signInRatio, 2),
})

export type ConsoleRow = ReturnType<typeof consoleRow>

/** All times are in milliseconds. Sizes are in bytes. */
export const consoleRow = ({ pages }: ConsoleFigures) => ({
  slowest_p50_ms: rounded(Math.max(...Object.values(pages).map(({ p50 }) => p50)), 1),
  largest_bytes: Math.max(...Object.values(pages).map(({ bytes }) => bytes)),
  by_page: Object.fromEntries(
    Object.entries(pages).map(([name, { p50, p95, bytes }]) => [
      name,
      { p50_ms: rounded(p50, 1), p95_ms: rounded(p95, 1), bytes },
    ]),
  ),
})

export type PagesRow = ReturnType<typeof pagesRow>

export const pagesRow = ({ render, login, bytes }: PageFigures) => ({
  render_per_cpu_second: Math.round(render.perCpuSecond),
  login_page_per_cpu_second: Math.round(login.perCpuSecond),
  login_page_per_second: Math.round(login.perSecond),
  login_page_bytes: bytes,
})

export type SearchRow = ReturnType<typeof searchRow>

/** All times are in milliseconds. */
export const searchRow = ({ times, few }: SearchFigures) => ({
  few_p50_ms: rounded(few.p50, 1),
  few_p95_ms: rounded(few.p95, 1),
  by_kind: Object.fromEntries(
    Object.entries(times).map(([name, figures]) => [
      name,
      { p50_ms: rounded(figures.p50, 1), p95_ms: rounded(figures.p95, 1), total: figures.total },
    ]),
  ),
})

export type PostsRow = ReturnType<typeof postsRow>

/** All times are in milliseconds. */
export const postsRow = ({ lists, bySlug, rendering }: PostsFigures) => ({
  by_slug: { ratio_to_bare_http: rounded(bySlug.ratio, 3), ...paces(bySlug) },
  writing_100_kb: {
    p50_ms: rounded(rendering.p50, 1),
    max_ms: rounded(rendering.max, 1),
    event_loop_delay_max_ms: rounded(rendering.delay, 1),
  },
  lists: Object.fromEntries(
    Object.entries(lists).map(([name, { p50, p95, total, plan }]) => [
      name,
      { p50_ms: rounded(p50, 1), p95_ms: rounded(p95, 1), total, plan },
    ]),
  ),
})

export type InsideRow = ReturnType<typeof insideRow>

export const insideRow = (figures: InsideFigures) => {
  const { memory, es256, hs256, http } = figures
  const delay = (milliseconds: number[]) => {
    const { p50, p99, max } = delays(milliseconds)
    return { p50_ms: rounded(p50, 1), p99_ms: rounded(p99, 1), max_ms: rounded(max, 1) }
  }
  return {
    memory_per_cpu_second: Math.round(memory),
    missed_share: rounded(figures.missedShare, 5),
    es256_per_cpu_second: Math.round(es256),
    hs256_per_cpu_second: Math.round(hs256),
    http_per_cpu_second: Math.round(http),
    ratio_to_es256: Math.round(memory / es256),
    ratio_to_hs256: Math.round(memory / hs256),
    ratio_to_http: Math.round(memory / http),
    revocation_with_stream: delay(figures.withStream),
    revocation_without_stream: delay(figures.withoutStream),
    service_busy_idle: rounded(figures.busyIdle, 4),
    service_busy_10000_in_use: rounded(figures.busyInUse, 4),
    service_busy_500_streams: rounded(figures.busyListened, 4),
    memory_500_streams_mb: mib(figures.streamMemory),
  }
}

const mib = (value: number | undefined): number | null => (value === undefined ? null : Math.round(value))
