import type { Context } from '../../src/context.ts'
import type { DeclareRoutes } from '../../src/http/server/create-server.ts'
import type { Toolkit } from '../../src/modules/toolkit.ts'
import { addNote, notesOf } from './notes.ts'

const path = '/api/v1/notes'
const module = 'module-notes'

export const noteRoutes =
  (toolkit: Toolkit) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const { Type, access } = toolkit
    const { describe, success, Id, Timestamp } = toolkit.schemas
    const Note = Type.Object({ id: Id, note: Type.String(), created_at: Timestamp })
    const tag = 'Notes'
    const ListRoute = describe(
      { operationId: 'listNotes', summary: 'List your notes, oldest first', tag },
      {},
      success({ data: Type.Array(Note) }),
    )
    const AddRoute = describe(
      { operationId: 'createNote', errors: ['TOO_MANY_NOTES'], summary: 'Create a note', tag },
      { body: Type.Object({ note: Type.String({ minLength: 1, maxLength: 500, examples: ['Buy milk'] }) }) },
      success({ data: Note }),
    )

    http.get(
      path,
      { schema: ListRoute, config: { access: access.signedIn, limit: 'read', module } },
      async ({ auth }) => ({
        success: true as const,
        data: (await notesOf(ctx.db, auth.user.id)).map(shown),
      }),
    )
    http.post(
      path,
      { schema: AddRoute, config: { access: access.signedIn, limit: 'write', module } },
      async (request) => ({
        success: true as const,
        data: shown(await addNote(toolkit, ctx, request.auth, request.body.note)),
      }),
    )
  }

const shown = ({ created_at, ...note }: { id: string; note: string; created_at: Date }) => ({
  ...note,
  created_at: created_at.toISOString(),
})
