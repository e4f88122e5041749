import { type RawBuilder, sql } from 'kysely'

export type SearchCondition = RawBuilder<boolean>

export interface TimeRange {
  from: Date | undefined
  to: Date | undefined
}

/** The functions in this file return conditions on a row of `users`. Conditions containing OR are parenthesized. */
export const hasIdIn = (ids: readonly string[]): SearchCondition => sql`id = ANY(${[...ids]}::uuid[])`

export const hasExternalId = (id: string): SearchCondition => sql`external_id = ${id}`

export const isVerified = (verified: boolean): SearchCondition => (verified ? sql`is_verified` : sql`NOT is_verified`)

/**
 * If `digits` begins with +, it can match only the start of a number. Prefix and suffix searches use separate indexes.
 */
export const hasPhone = (digits: string): SearchCondition =>
  digits.startsWith('+')
    ? sql`phone LIKE ${`${digits}%`}`
    : sql`(phone LIKE ${`+${digits}%`} OR phone IS NOT NULL AND reverse(phone) LIKE reverse(${digits}) || '%')`

export const not = (condition: SearchCondition): SearchCondition => sql`NOT ${condition}`

export const isLinkedTo = (provider: string): SearchCondition =>
  sql`EXISTS (SELECT FROM social_accounts WHERE user_id = users.id AND provider = ${provider})`

export const hasRole = (roleId: string, now: Date): SearchCondition =>
  sql`id IN (SELECT user_id FROM user_roles WHERE role_id = ${roleId} AND (until IS NULL OR until > ${now}))`

export const wasCreated = ({ from, to }: TimeRange): SearchCondition[] => [
  ...(from ? [sql<boolean>`created_at >= ${from}`] : []),
  ...(to ? [sql<boolean>`created_at < ${to}`] : []),
]

/**
 * Ended sessions are deleted after some time, so users without a session match every upper bound. If both bounds are
 * given, the first condition repeats the upper bound so that PostgreSQL reads fewer sessions.
 */
export const wasLastSeen = ({ from, to }: TimeRange): SearchCondition[] => [
  ...(from ? [wasSeen(to ? sql`last_used_at >= ${from} AND last_used_at < ${to}` : sql`last_used_at >= ${from}`)] : []),
  ...(to ? [not(wasSeen(sql`last_used_at >= ${to}`))] : []),
]

const wasSeen = (condition: SearchCondition): SearchCondition =>
  sql`EXISTS (SELECT FROM sessions WHERE user_id = users.id AND status <> 'pending' AND ${condition})`
