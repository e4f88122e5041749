import { type RawBuilder, sql } from 'kysely'

/** The number of blocks of a table, at least 1. A block usually has 8 KiB. */
export const blocksOf = (table: string): RawBuilder<number> =>
  sql`greatest(pg_relation_size(${table}) / current_setting('block_size')::int, 1)`

/**
 * A sample of about this many blocks of the table, always the same ones, or the whole table if it is not larger. Use it
 * in FROM, and multiply counts by `timesOf`.
 */
export const sampleOf = (table: string, blocks: number): RawBuilder<unknown> =>
  sql`${sql.ref(table)} TABLESAMPLE SYSTEM (least(100, 100.0 * ${blocks} / ${blocksOf(table)})) REPEATABLE (1)`

/** How many times larger than the sample the table is. */
export const timesOf = (table: string, blocks: number): RawBuilder<number> =>
  sql`greatest(1, ${blocksOf(table)}::float8 / ${blocks})`

/** Tables up to this size (about a million users or sessions) are counted exactly. Above it, counts are about 0.5 % off. */
export const measuredBlocks = 40_000
