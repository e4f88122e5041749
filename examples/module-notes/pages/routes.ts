import type { Context } from '../../../src/context.ts'
import type { DeclareRoutes } from '../../../src/http/server/types.ts'
import type { Toolkit } from '../../../src/modules/toolkit.ts'
import { noteSchemas } from '../schemas.ts'
import { notesPage } from './view.ts'

export const path = '/account/notes'
const module = 'module-notes'

/**
 * Shows the user's notes and a form for adding one. `accountPages` redirects signed-out visitors to the sign-in page.
 * The page calls the API in the same process, so the API's rules apply.
 */
export const notePageRoutes =
  (toolkit: Toolkit) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const { Type, pages, AppError } = toolkit
    const render = notesPage(toolkit)
    const { ListRoute, AddRoute } = noteSchemas(toolkit)
    const field = Type.Optional(Type.String())
    const AddNote = { summary: 'Add a note', body: Type.Object({ note: field, form_token: field }) }
    const member = pages.accountPages(ctx, http, path)

    const show = async (one: Parameters<Parameters<typeof member.get>[2]>[0], problem?: string, status = 200) => {
      const list = await one.api(pages.call(ListRoute))
      if (!list.ok) throw new AppError('RATE_LIMITED')
      const notes = list.body.data.map(({ note }) => note)
      return one.show((page) => render({ area: one.area, notes, form: one.sign(path), problem }, page), status)
    }
    member.get(path, { schema: { summary: 'Your notes' }, config: { ...pages.readByAnyone, module } }, (one) =>
      show(one),
    )
    member.post(path, { schema: AddNote, config: { ...pages.postedByAnyone, module } }, async (one, request) => {
      const { note, form_token: formToken } = request.body
      const answer = await one.submit(path, formToken, pages.call(AddRoute, { body: { note } }))
      return answer.ok ? one.go(path) : show(one, answer.rejection.code, answer.status)
    })
  }
