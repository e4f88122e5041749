import type { Context } from '../../src/context.ts'
import type { DeclareRoutes } from '../../src/http/server/types.ts'
import type { Toolkit } from '../../src/modules/toolkit.ts'
import { addNote, notesOf } from './notes.ts'
import { noteSchemas } from './schemas.ts'

const path = '/api/v1/notes'
const module = 'module-notes'

export const noteRoutes =
  (toolkit: Toolkit) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const { access } = toolkit
    const { ListRoute, AddRoute } = noteSchemas(toolkit)

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
