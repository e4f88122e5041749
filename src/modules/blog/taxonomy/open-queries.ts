import { type RawBuilder, sql } from 'kysely'
import { isLivePost } from '../lists/readable-queries.ts'
import type { SitemapScope } from '../sitemap/scope.ts'

/** Counts of public posts are the same for every reader, so that they do not reveal hidden posts. */

export function isCounted({ types }: Pick<SitemapScope, 'types'>): RawBuilder<boolean> {
  const keys = types.readableKeys(undefined)
  const isPublic = sql<boolean>`c.visibility = 'public'`
  return keys ? sql`(${isPublic} AND c.post_type = ANY (${keys.open}::text[]))` : isPublic
}

/** Condition on posts `p` that are due but not counted before the job has run. */
export const isDue = ({ now, types }: Pick<SitemapScope, 'now' | 'types'>): RawBuilder<boolean> =>
  sql`(p.status = 'scheduled' AND p.scheduled_at <= ${now} AND p.visibility = 'public' AND ${isLivePost(now)}
    AND ${types.readable('p', undefined)})`
