import { type RawBuilder, sql } from 'kysely'

export const always: RawBuilder<boolean> = sql`true`

/** Conditions that contain OR must already be in parentheses. */
export const both = (conditions: RawBuilder<boolean>[]): RawBuilder<boolean> => sql`${sql.join(conditions, sql` AND `)}`
