import { type RawBuilder, sql } from 'kysely'
import { isLive } from '../lists/readable-queries.ts'
import type { Scope } from '../sitemap/scope.ts'

/** What everyone may read, whoever asks: a number must not tell of posts that nobody is shown. */

/** Of rows `c` of `post_counts`. */
export function isCounted({ types }: Pick<Scope, 'types'>): RawBuilder<boolean> {
  const keys = types.readableKeys(undefined)
  const isPublic = sql<boolean>`c.visibility = 'public'`
  return keys ? sql`(${isPublic} AND c.post_type = ANY (${keys.open}::text[]))` : isPublic
}

/** Of posts `p`: what is due, and not counted before the job has come to it. */
export const isDue = ({ now, types }: Pick<Scope, 'now' | 'types'>): RawBuilder<boolean> =>
  sql`(p.status = 'scheduled' AND p.scheduled_at <= ${now} AND p.visibility = 'public' AND ${isLive(now)}
    AND ${types.readable('p', undefined)})`
