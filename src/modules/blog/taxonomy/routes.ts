import type { Context } from '../../../context.ts'
import { staffWith, visitor } from '../../../http/access/access.ts'
import { envelope } from '../../../http/responses/envelope.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { listMetaOf } from '../../../lib/paging.ts'
import { writerOf } from '../change-post.ts'
import { base } from '../names.ts'
import { listAuthors, readAuthor } from './authors.ts'
import { createTerm, deleteTerm, updateTermOf } from './change-terms.ts'
import { mergeTags, planTagMerge } from './merge-tags.ts'
import { listTerms, readTerm } from './read-terms.ts'
import { categorySchemas, ListAuthorsRoute, MergeTagRoute, ReadAuthorRoute, tagSchemas } from './schemas.ts'

const uncached = { cached: false as const }

export const taxonomyRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const read = { access: visitor, limit: 'read', whileImpersonating: 'allowed', module: 'blog' } as const
    const write = { access: staffWith('blog:manage'), limit: 'admin', module: 'blog' } as const
    const all = [
      { kind: 'category', path: `${base}/categories`, schemas: categorySchemas },
      { kind: 'tag', path: `${base}/tags`, schemas: tagSchemas },
    ] as const
    for (const { kind, path, schemas } of all) {
      http.get(path, { schema: schemas.list, config: read }, async (request) => {
        const { terms, pagination } = await listTerms(ctx, kind, request.query)
        return envelope(request, terms, listMetaOf(pagination))
      })
      http.get(`${path}/:id`, { schema: schemas.read, config: read }, async (request) =>
        envelope(request, await readTerm(ctx, kind, request.params.id), uncached),
      )
      http.post(path, { schema: schemas.create, config: write }, async (request) =>
        envelope(request, await createTerm(ctx, writerOf(request), kind, request.body), {}),
      )
      http.put(`${path}/:id`, { schema: schemas.update, config: write }, async (request) => {
        const { id } = request.params
        await updateTermOf(ctx, writerOf(request), { kind, id }, request.body)
        return envelope(request, { id, updated: true as const }, {})
      })
      http.delete(`${path}/:id`, { schema: schemas.remove, config: write }, async (request) => {
        const { id } = request.params
        await deleteTerm(ctx, writerOf(request), kind, id)
        return envelope(request, { id, deleted: true as const }, {})
      })
    }
    http.post(`${base}/tags/:id/merge`, { schema: MergeTagRoute, config: write }, async (request) => {
      const { into, dry_run = false } = request.body
      const merge = { id: request.params.id, into }
      const counts = dry_run ? await planTagMerge(ctx, merge) : await mergeTags(ctx, writerOf(request), merge)
      return envelope(request, { ...merge, merged: !dry_run, ...counts }, {})
    })
    http.get(`${base}/authors`, { schema: ListAuthorsRoute, config: read }, async (request) => {
      const { authors, pagination } = await listAuthors(ctx, request.query)
      return envelope(request, authors, listMetaOf(pagination))
    })
    http.get(`${base}/authors/:id`, { schema: ReadAuthorRoute, config: read }, async (request) =>
      envelope(request, await readAuthor(ctx, request.params.id), uncached),
    )
  }
