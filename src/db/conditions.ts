import { type RawBuilder, sql } from 'kysely'

export const always: RawBuilder<boolean> = sql`true`

/** Conditions that contain OR must bring their own parentheses. */
export const both = (conditions: RawBuilder<boolean>[]): RawBuilder<boolean> => sql`${sql.join(conditions, sql` AND `)}`
