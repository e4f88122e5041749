import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { AppError } from '../../../../lib/errors.ts'
import { looksLikeId } from '../../../../lib/ids.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { ListRevisionsRoute, ReadRevisionRoute, RestoreRevisionRoute } from '../../revision-schemas.ts'
import { linkWithQuery } from '../reading/links.ts'
import { contentPages, form, read } from './content-visit.ts'
import { revisionPage, revisionsPage } from './revisions-view.ts'
import { contentPaths, postPath, RestoreRevisionFormRoute, RevisionRoute, RevisionsRoute } from './schemas.ts'
import { loadEditedPost, showEditor } from './show-editor.ts'

export const contentRevisionRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = contentPages(ctx, http)
    pages.get(contentPaths.revisions, { schema: RevisionsRoute, config: read }, async (member, { params }) => {
      const { post } = await loadEditedPost(ctx, member, params.id)
      const revisions = await member.read(call(ListRevisionsRoute, { params: { id: post.id }, query: { limit: 100 } }))
      const data = { area: member.area, post, revisions, timeZone: member.profile.user.tmz }
      return member.show((page) => revisionsPage(data, page))
    })
    pages.get(contentPaths.revision, { schema: RevisionRoute, config: read }, async (member, { params }) => {
      const { post } = await loadEditedPost(ctx, member, params.id)
      if (!looksLikeId(params.revision_id)) throw new AppError('NOT_FOUND')
      const revision = await member.read(
        call(ReadRevisionRoute, { params: { id: post.id, revision_id: params.revision_id } }),
      )
      const action = contentPaths.revision.replace(':id', post.id).replace(':revision_id', revision.id)
      const restore = { path: action, formToken: member.sign(action) }
      const data = { area: member.area, post, revision, restore, timeZone: member.profile.user.tmz }
      return member.show((page) => revisionPage(data, page))
    })
    const restore = { schema: RestoreRevisionFormRoute, config: form }
    pages.post(contentPaths.revision, restore, async (member, { params, body }) => {
      const loaded = await loadEditedPost(ctx, member, params.id)
      if (!looksLikeId(params.revision_id)) throw new AppError('NOT_FOUND')
      const action = contentPaths.revision.replace(':id', params.id).replace(':revision_id', params.revision_id)
      const restoration = call(RestoreRevisionRoute, {
        params: { id: loaded.post.id, revision_id: params.revision_id },
        body: { expected_updated_at: body.expected_updated_at },
      })
      const response = await member.submit(action, body.form_token, restoration)
      if (!response.ok) return showEditor(ctx, member, { ...loaded, rejection: response.rejection }, response.status)
      return member.go(linkWithQuery(postPath(loaded.post.id), { done: 'revision' }))
    })
  }
