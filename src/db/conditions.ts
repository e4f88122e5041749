import { type RawBuilder, sql } from 'kysely'

export const always: RawBuilder<boolean> = sql`true`

/** Conditions containing OR must already be parenthesized. */
export const both = (conditions: RawBuilder<boolean>[]): RawBuilder<boolean> => sql`${sql.join(conditions, sql` AND `)}`
