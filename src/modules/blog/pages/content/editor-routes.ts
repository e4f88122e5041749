import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { DeletePostRoute } from '../../post-schemas.ts'
import { defaultLang } from '../../read-members.ts'
import { linkWithQuery } from '../reading/links.ts'
import { contentPages, form, read } from './content-visit.ts'
import { emptyValues } from './editor-values.ts'
import type { EditorValues } from './field-inputs.ts'
import { savePost } from './save-post.ts'
import {
  CreatePostFormRoute,
  contentPaths,
  EditorFormRoute,
  EditorRoute,
  NewPostRoute,
  RemovePostFormRoute,
} from './schemas.ts'
import { loadEditedPost, showEditor, typeFor } from './show-editor.ts'

export const editorRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = contentPages(ctx, http)
    const large = { ...form, largeBody: true } as const
    pages.get(contentPaths.create, { schema: NewPostRoute, config: read }, async (member, { query }) => {
      const type = await typeFor(ctx, member, query.type)
      const values = emptyValues(type, defaultLang(ctx.config))
      return showEditor(ctx, member, { post: undefined, type, values })
    })
    pages.post(contentPaths.create, { schema: CreatePostFormRoute, config: large }, async (member, { body }) => {
      const type = await typeFor(ctx, member, body.post_type)
      return savePost(ctx, member, { post: undefined, type, values: body as EditorValues })
    })
    pages.get(contentPaths.post, { schema: EditorRoute, config: read }, async (member, { params, query }) => {
      const loaded = await loadEditedPost(ctx, member, params.id)
      return showEditor(ctx, member, { ...loaded, done: query.done })
    })
    pages.post(contentPaths.post, { schema: EditorFormRoute, config: large }, async (member, { params, body }) => {
      const loaded = await loadEditedPost(ctx, member, params.id)
      return savePost(ctx, member, { ...loaded, values: body as EditorValues })
    })
    pages.post(contentPaths.remove, { schema: RemovePostFormRoute, config: form }, async (member, { params, body }) => {
      const loaded = await loadEditedPost(ctx, member, params.id)
      const action = contentPaths.remove.replace(':id', loaded.post.id)
      const remove = call(DeletePostRoute, { params: { id: loaded.post.id } })
      const response = await member.submit(action, body.form_token, remove)
      if (response.ok) return member.go(linkWithQuery(contentPaths.posts, { done: 'removed' }))
      return showEditor(ctx, member, { ...loaded, rejection: response.rejection }, response.status)
    })
  }
