import type { Toolkit } from '../../src/modules/toolkit.ts'

/** The routes' schemas. The pages call the API by them. */
export function noteSchemas({ Type, schemas }: Toolkit) {
  const { describe, success, Id, Timestamp } = schemas
  const Note = Type.Object({ id: Id, note: Type.String(), created_at: Timestamp })
  const tag = 'Notes'
  return {
    ListRoute: describe(
      { operationId: 'listNotes', summary: 'List your notes, oldest first', tag },
      {},
      success({ data: Type.Array(Note) }),
    ),
    AddRoute: describe(
      { operationId: 'createNote', errors: ['TOO_MANY_NOTES'], summary: 'Create a note', tag },
      { body: Type.Object({ note: Type.String({ minLength: 1, maxLength: 500, examples: ['Buy milk'] }) }) },
      success({ data: Note }),
    ),
  }
}
