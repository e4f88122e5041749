import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { Routes } from '../../http/create-server.ts'
import { envelope } from '../../http/envelope.ts'
import type { RouteConfig } from '../../http/route-rules.ts'
import type { Writer } from './change-post.ts'
import type { Render } from './render.ts'
import { listRevisions, readRevision, restoreRevision } from './revisions.ts'
import { ListRevisionsRoute, ReadRevisionRoute, RestoreRevisionRoute } from './schemas.ts'
import { shownRevision } from './shapes.ts'

interface Parts {
  render: Render
  write: RouteConfig
  /** Of one post. */
  path: string
  writerOf: (request: FastifyRequest) => Writer
}

export const revisionRoutes =
  (ctx: Context, { render, write, path, writerOf }: Parts): Routes =>
  (http) => {
    const read: RouteConfig = { ...write, limit: 'read' }
    const one = `${path}/revisions/:revision_id`

    http.get(`${path}/revisions`, { schema: ListRevisionsRoute, config: read }, async (request) => {
      const { revisions, pagination } = await listRevisions(ctx, writerOf(request), request.params.id, request.query)
      const has_more = pagination.page < pagination.pages
      return envelope(request, revisions.map(shownRevision), { ...pagination, has_more, cached: false as const })
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
      await restoreRevision(ctx, render, writerOf(request), { postId: id, id: revision_id, expected })
      return envelope(request, { id, revision_id, restored: true as const }, {})
    })
  }
