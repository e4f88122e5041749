import type { Context } from '../../context.ts'
import { envelope } from '../../http/responses/envelope.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { listMetaOf } from '../../lib/paging.ts'
import { writers } from './access.ts'
import { writerOf } from './change-post.ts'
import { postPaths } from './names.ts'
import type { RenderFor } from './render.ts'
import { ListRevisionsRoute, ReadRevisionRoute, RestoreRevisionRoute } from './revision-schemas.ts'
import { listRevisions, readRevision, restoreRevision } from './revisions.ts'
import { shownRevision } from './shapes.ts'

export const revisionRoutes =
  (ctx: Context, renderFor: RenderFor): DeclareRoutes =>
  (http) => {
    const write = { access: writers(ctx.config), limit: 'write', module: 'blog' } as const
    const read = { ...write, limit: 'read' } as const
    for (const path of postPaths) routesOf(path)

    function routesOf(path: (typeof postPaths)[number]): void {
      const one = `${path}/revisions/:revision_id` as const
      http.get(`${path}/revisions`, { schema: ListRevisionsRoute, config: read }, async (request) => {
        const { revisions, pagination } = await listRevisions(ctx, writerOf(request), request.params.id, request.query)
        return envelope(request, revisions.map(shownRevision), listMetaOf(pagination))
      })
      http.get(one, { schema: ReadRevisionRoute, config: read }, async (request) => {
        const { id, revision_id } = request.params
        const revision = await readRevision(ctx, writerOf(request), id, revision_id)
        const { body, body_format, fields } = revision
        return envelope(request, { ...shownRevision(revision), body, body_format, fields }, {})
      })
      http.post(`${one}/restore`, { schema: RestoreRevisionRoute, config: write }, async (request) => {
        const { id, revision_id } = request.params
        const expected = request.body.expected_updated_at
        await restoreRevision(ctx, renderFor(request.auth.user.id), writerOf(request), {
          postId: id,
          id: revision_id,
          expected,
        })
        return envelope(request, { id, revision_id, restored: true as const }, {})
      })
    }
  }
