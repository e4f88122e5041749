import { onePerDatabase } from '../../../context/one-per-database.ts'
import type { Context } from '../../../context.ts'
import { createNoteWriter } from '../../../lib/note-writer.ts'
import { writeSecretUses } from './use-queries.ts'

/** When secrets, and clients without one, were last used, by their ids. */
export const secretUsesOf = onePerDatabase((ctx) =>
  createNoteWriter<number, { at: number }>({
    clock: ctx.clock,
    start: (at) => ({ at }),
    add(note, at) {
      note.at = at
    },
    write: (uses) => writeSecretUses(ctx.db, uses),
    failed: (error) => ctx.log.warn({ err: error }, 'could not record the use of client secrets'),
  }),
)

/** The id is that of the secret, or of the row of a client without one. */
export const noteClientUse = (ctx: Context, id: string): void => secretUsesOf(ctx).note(id, ctx.clock.now())
