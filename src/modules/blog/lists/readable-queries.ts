import { type RawBuilder, sql } from 'kysely'
import { isAdmin } from '../../../http/access/is-admin.ts'
import type { PostReader } from '../access.ts'
import type { SitemapScope } from '../sitemap/scope.ts'

// Conditions on posts apply to the alias `p`. `accessTo` implements the same rules for a single row.

/** Whether the post is published at this time. Due posts count as published even before the publishing job has run. */
export const isLivePost = (now: Date): RawBuilder<boolean> => sql`(p.live_from <= ${now} AND p.deleted_at IS NULL)`

/** Selects posts whose existence the reader may know about. The type may still hide the post (see `PostTypeRules`). */
export function readableBy(reader: PostReader, now: Date): RawBuilder<boolean> {
  if (isAdmin(reader)) return sql`p.deleted_at IS NULL`
  if (!reader) return sql`(${isLivePost(now)} AND p.visibility IN ('public', 'password'))`
  return sql`(p.deleted_at IS NULL AND (p.user_id = ${reader.id}
    OR (p.live_from <= ${now} AND p.visibility IN ('public', 'auth', 'password'))))`
}

/** Public counts are the same for all readers so that they do not reveal hidden posts. */
export function isCounted({ types }: Pick<SitemapScope, 'types'>): RawBuilder<boolean> {
  const keys = types.readableKeys(undefined)
  const isPublic = sql<boolean>`c.visibility = 'public'`
  return keys ? sql`(${isPublic} AND c.post_type = ANY (${keys.open}::text[]))` : isPublic
}

/** Selects public posts that are due but not yet counted because the publishing job has not run. */
export const isDue = ({ now, types }: Pick<SitemapScope, 'now' | 'types'>): RawBuilder<boolean> =>
  sql`(p.status = 'scheduled' AND p.scheduled_at <= ${now} AND p.visibility = 'public' AND ${isLivePost(now)}
    AND ${types.readable('p', undefined)})`
