import { startPostgres } from '../../test/support/postgres.ts'
import { openScratch } from '../../test/support/scratch.ts'
import { timesOf } from '../load/user-lists.ts'
import { seedMillion } from '../million.ts'
import { startService } from '../service.ts'

const requests = { warmUps: 5, repeats: 30 }

/** The measured requests. Each name matches 25,000 users. */
const searches = {
  one_user: 'q=f4240',
  part_of_an_address: 'q=LOVELACE.1',
  surname: 'q=lovelace',
  first_name: 'q=bj%C3%B6rn',
  page_fifty: 'q=hopper&page=50',
  nobody: 'q=%25',
  admins: 'userType=admin',
  two_letters: 'q=jo',
  everybody_by_text: 'q=example',
  everybody: 'limit=10',
} as const

/**
 * Searches with at most this many results count as small. A search also counts its results, which takes a long time if
 * many users match.
 */
const few = 10_000

export interface SearchFigures {
  /** Response times in milliseconds. The requests are sent one after the other. */
  times: Record<string, { p50: number; p95: number; total: number }>
  /** The highest median and the highest p95 among the small searches. */
  few: { p50: number; p95: number }
}

/**
 * Measures GET /auth/users with a million users. `shared_buffers` is large enough to hold them all, as
 * docs/operations/postgresql.md recommends.
 */
export async function measureSearch(): Promise<SearchFigures> {
  const scratch = await openScratch('bench-search')
  const postgres = await startPostgres({ durable: true, sharedBuffers: '1GB' })
  try {
    const databaseUrl = await postgres.createDatabase('bench')
    const start = () => startService(databaseUrl, scratch.directory, { RATE_LIMIT_ADMIN: '10000000/1s' })
    // The first start creates the tables.
    await (await start()).stop()
    const sessionToken = await seedMillion(databaseUrl)
    const service = await start()
    try {
      const times: SearchFigures['times'] = {}
      for (const [name, query] of Object.entries(searches))
        times[name] = await timesOf(`http://127.0.0.1:${service.port}/auth/users?${query}`, sessionToken, requests)
      const found = Object.values(times).filter(({ total }) => total <= few)
      const slowest = (share: 'p50' | 'p95') => Math.max(...found.map((one) => one[share]))
      return { times, few: { p50: slowest('p50'), p95: slowest('p95') } }
    } finally {
      await service.stop()
    }
  } finally {
    await postgres.stop()
    await scratch.close()
  }
}
