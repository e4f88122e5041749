import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { createApplicationSet } from '../../src/applications/application-set.ts'
import { findStoredApplications } from '../../src/applications/queries.ts'
import type { Tables } from '../../src/db/tables.ts'
import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts'
import { openScratch, type Scratch } from '../../test/support/scratch.ts'
import { seedApplications } from '../applications.ts'
import { median, rounded } from '../numbers.ts'
import { production, startService } from '../service.ts'
import { startOnce } from './start.ts'

const rounds = 12
const counts = [0, 1_000, 10_000] as const
const repeats = 20
const idleTime = 5_000

type Say = (line: string) => void

/** Starts with different numbers of applications in turn, so that other load on the machine affects all of them. */
export async function measureApplicationStarts(say: Say): Promise<void> {
  const scratch = await openScratch('bench-application-starts')
  const postgres = await startPostgres({ durable: true })
  try {
    const databases = await prepareDatabases(postgres, scratch)
    const times = await startInTurns(databases, scratch)
    const [none = []] = times
    for (const [index, count] of counts.entries()) {
      const own = times[index] ?? []
      const { memory } = await startOnce(settingsFor(databases[index] ?? '', scratch), scratch.directory, idleTime)
      say(
        JSON.stringify({
          applications: count,
          start_ms: rounded(median(own), 0),
          /** The median of the differences within a round. */
          more_than_without_ms: rounded(median(own.map((time, round) => time - (none[round] ?? 0))), 1),
          rss_mb: memory && rounded(memory.now, 0),
          ...(await measureReading(databases[index] ?? '')),
        }),
      )
    }
  } finally {
    await postgres.stop()
    await scratch.close()
  }
}

async function prepareDatabases(postgres: PostgresServer, scratch: Scratch): Promise<string[]> {
  const urls: string[] = []
  for (const count of counts) {
    const url = await postgres.createDatabase(`with_${count}`)
    // The first start creates the tables.
    await (await startService(url, scratch.directory)).stop()
    if (count > 0) await seedApplications(url, count)
    urls.push(url)
  }
  return urls
}

async function startInTurns(databases: readonly string[], scratch: Scratch): Promise<number[][]> {
  const times: number[][] = databases.map(() => [])
  // The first round fills PostgreSQL's caches.
  for (let round = -1; round < rounds; round++)
    for (const [index, url] of databases.entries()) {
      const { milliseconds } = await startOnce(settingsFor(url, scratch), scratch.directory, 0)
      if (round >= 0) times[index]?.push(milliseconds)
    }
  return times
}

const settingsFor = (url: string, { directory }: Scratch): Record<string, string> => ({
  ...production,
  DATABASE_URL: url,
  DATA_DIR: directory,
})

/** After each change, a node reads all applications and then indexes them in its own thread. */
async function measureReading(url: string) {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }) })
  const [reading, indexing]: [number[], number[]] = [[], []]
  try {
    for (let count = -3; count < repeats; count++) {
      const startedAt = performance.now()
      const { version, applications } = await findStoredApplications(db)
      const readAt = performance.now()
      createApplicationSet(version, applications)
      if (count < 0) continue
      reading.push(readAt - startedAt)
      indexing.push(performance.now() - readAt)
    }
  } finally {
    await db.destroy()
  }
  return { read_ms: rounded(median(reading), 1), index_ms: rounded(median(indexing), 1) }
}
