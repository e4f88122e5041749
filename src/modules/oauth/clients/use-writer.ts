import { onePerDatabase } from '../../../context/one-per-database.ts'
import type { Context } from '../../../context.ts'
import { createNoteWriter } from '../../../lib/note-writer.ts'
import { writeSecretUses } from './use-queries.ts'

/** When secrets were last used, by their ids. */
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

export const noteSecretUse = (ctx: Context, secretId: string): void => secretUsesOf(ctx).note(secretId, ctx.clock.now())
