import { type RawBuilder, sql } from 'kysely'

/** A condition that leaves nothing out. */
export const always: RawBuilder<boolean> = sql`true`

/** A condition that holds where each of these does; one with OR in it brings its own brackets. */
export const both = (conditions: RawBuilder<boolean>[]): RawBuilder<boolean> => sql`${sql.join(conditions, sql` AND `)}`
