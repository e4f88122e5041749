import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

export async function findDayKey(db: Db, day: string): Promise<string | undefined> {
  const { rows } = await sql<{ secret: string }>`SELECT secret FROM post_view_secrets WHERE day = ${day}::date`.execute(
    db,
  )
  return rows[0]?.secret
}

export const insertDayKey = (db: Db, day: string, secret: string) =>
  sql`INSERT INTO post_view_secrets (day, secret) VALUES (${day}::date, ${secret}) ON CONFLICT (day) DO NOTHING`.execute(
    db,
  )

/** Replaces the key unless another node has already replaced it. */
export const replaceDayKey = (db: Db, day: string, old: string, secret: string) =>
  sql`UPDATE post_view_secrets SET secret = ${secret} WHERE day = ${day}::date AND secret = ${old}`.execute(db)

export interface PostView {
  postId: string
  viewer: string
  day: string
  at: Date
}

/** Counts a view in one statement. Returns false if this viewer has already been counted that day. */
export async function countView(db: Db, { postId, viewer, day, at }: PostView): Promise<boolean> {
  const { rows } = await sql<{ counted: boolean }>`WITH post AS (
      SELECT id FROM posts WHERE id = ${postId} AND deleted_at IS NULL FOR KEY SHARE),
    first AS (
      INSERT INTO post_view_keys (post_id, day, viewer_key) SELECT id, ${day}::date, ${viewer} FROM post
      ON CONFLICT (post_id, day, viewer_key) DO NOTHING RETURNING post_id),
    of_day AS (
      INSERT INTO post_view_days AS d (post_id, day, views) SELECT post_id, ${day}::date, 1 FROM first
      ON CONFLICT (post_id, day) DO UPDATE SET views = d.views + 1),
    total AS (
      INSERT INTO post_view_totals AS t (post_id, views, last_viewed_at) SELECT post_id, 1, ${at}::timestamptz FROM first
      ON CONFLICT (post_id) DO UPDATE
        SET views = t.views + 1, last_viewed_at = greatest(t.last_viewed_at, excluded.last_viewed_at))
    SELECT EXISTS (SELECT FROM first) AS counted`.execute(db)
  return rows[0]?.counted === true
}

export async function findLastView(db: Db, postId: string): Promise<Date | null> {
  const { rows } = await sql<{ last_viewed_at: Date | null }>`SELECT last_viewed_at FROM post_view_totals
    WHERE post_id = ${postId}`.execute(db)
  return rows[0]?.last_viewed_at ?? null
}

export async function findDays(db: Db, postId: string, until: string, days: number) {
  const { rows } = await sql<{ date: string; views: number }>`
    SELECT to_char(s.day, 'YYYY-MM-DD') AS date, coalesce(v.views, 0) AS views
    FROM generate_series(${until}::date - ${days - 1}::int, ${until}::date, interval '1 day') AS s (day)
    LEFT JOIN post_view_days v ON v.post_id = ${postId} AND v.day = s.day::date ORDER BY s.day`.execute(db)
  return rows
}

export async function removeBefore(
  db: Db,
  table: 'post_view_keys' | 'post_view_secrets' | 'post_view_days',
  day: string,
  limit: number,
): Promise<number> {
  const name = sql.table(table)
  const { numAffectedRows } = await sql`DELETE FROM ${name} WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM ${name} WHERE day < ${day}::date ORDER BY day LIMIT ${limit} FOR UPDATE SKIP LOCKED))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
