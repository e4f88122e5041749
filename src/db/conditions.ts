import { type RawBuilder, sql } from 'kysely'

/** A condition that leaves nothing out. */
export const always: RawBuilder<boolean> = sql`true`
