import { type RawBuilder, sql } from 'kysely'
import { isAdmin } from '../../../users/is-admin.ts'
import type { Reader } from '../readers.ts'

/** Conditions on posts, which stand in the statement as `p`. `readingOf` says the same of one post in hand. */

/** What counts as published at this time: what is due does, whether or not the job has come to it. */
export const isLive = (now: Date): RawBuilder<boolean> => sql`(p.live_from <= ${now} AND p.deleted_at IS NULL)`

/**
 * Of what somebody may know that it is there; of what has a password, others than its owner see no more than that. Types
 * may hide some of it: `PostTypeRules.readable` is the other half.
 */
export function readableBy(reader: Reader, now: Date): RawBuilder<boolean> {
  if (isAdmin(reader)) return sql`p.deleted_at IS NULL`
  if (!reader) return sql`(${isLive(now)} AND p.visibility IN ('public', 'password'))`
  return sql`(p.deleted_at IS NULL AND (p.user_id = ${reader.id}
    OR (p.live_from <= ${now} AND p.visibility IN ('public', 'auth', 'password'))))`
}
