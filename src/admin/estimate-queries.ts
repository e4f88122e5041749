import { sql } from 'kysely'
import { blocksOf, sampleOf } from '../db/sample.ts'
import type { Db } from '../db/tables.ts'
import { matches, type ReadingPlan, type SearchFilter, setJoinsAndSorts } from './search-queries.ts'

export interface MatchEstimate {
  /** There are almost certainly at least this many matches. */
  atLeast: number
  /** About this many users match, and this share of all users, from 0 to 1. */
  about: number
  share: number
  /** The faster way to read all matches. */
  way: ReadingPlan['way']
}

/** The text index is faster unless a larger share of the users match. */
const frequent = 0.1
const sampledBlocks = 200

/**
 * Reads a sample of the table's blocks, always the same ones, because PostgreSQL misestimates most filters. Matches often
 * lie together, for example after an import, so what counts for `atLeast` is how many blocks have a match: the estimate
 * is reduced by four standard deviations of that number.
 */
export async function estimateMatches(db: Db, filter: SearchFilter): Promise<MatchEstimate> {
  const sample = sampleOf('users', sampledBlocks)
  await setJoinsAndSorts(db, 'off')
  const { rows } = await sql<{ blocks: number; users: number; matches: number; matching_blocks: number }>`
    SELECT ${blocksOf('users')}::int AS blocks, (SELECT count(*) FROM ${sample})::int AS users, count(*)::int AS matches,
      count(DISTINCT block)::int AS matching_blocks
    FROM (SELECT *, (ctid::text::point)[0] AS block FROM ${sample} OFFSET 0) AS users
    WHERE ${matches(filter, 'scan')}`.execute(db)
  await setJoinsAndSorts(db, 'on')
  const { blocks = 1, users = 0, matches: found = 0, matching_blocks: matching = 0 } = rows[0] ?? {}
  const sampled = Math.min(1, sampledBlocks / blocks)
  const doubt = sampled === 1 ? 1 : 1 + 4 / Math.sqrt(matching)
  const share = users === 0 ? 0 : found / users
  const about = found / sampled
  return {
    atLeast: found === 0 ? 0 : Math.floor(about / doubt),
    about,
    share,
    way: share > frequent ? 'scan' : 'index',
  }
}
