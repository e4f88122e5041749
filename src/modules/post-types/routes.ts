import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { staffWith, visitor } from '../../http/access/access.ts'
import { deviceOf } from '../../http/access/device.ts'
import { envelope } from '../../http/responses/envelope.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { listMetaOf } from '../../lib/paging.ts'
import { writers } from '../blog/access.ts'
import type { DefinitionAdministrator } from './change-definitions.ts'
import { deleteDefinition } from './delete-definition.ts'
import { findOne, listDefinitions, listPostsOfType, validateFields } from './read-definitions.ts'
import { reorderDefinitions } from './reorder.ts'
import * as schemas from './schemas.ts'
import { shownDefinition, shownSchema } from './shapes.ts'
import { createDefinition, setActive, updateDefinitionOf } from './write-definition.ts'

const base = '/api/v1/post-types'
const one = `${base}/:key` as const
const module = 'post-types'

export const definitionRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const read = { access: visitor, limit: 'read', whileImpersonating: 'allowed', module } as const
    const admin = { access: staffWith('post_types:manage'), limit: 'admin', module } as const
    const large = { ...admin, largeBody: true } as const

    http.get(base, { schema: schemas.ListDefinitionsRoute, config: read }, async (request) => {
      const { rows, cached } = await listDefinitions(ctx, { inactive: request.query.active === false })
      return {
        data: rows.map(shownDefinition),
        user_context: { authenticated: request.auth !== undefined },
        meta: { cached, total: rows.length },
      }
    })
    http.get(one, { schema: schemas.ReadDefinitionRoute, config: read }, async (request) => ({
      data: shownDefinition((await findOne(ctx, request.params.key)).row),
    }))
    http.get(`${one}/schema`, { schema: schemas.DefinitionSchemaRoute, config: read }, async (request) => {
      const { row, cached } = await findOne(ctx, request.params.key)
      return envelope(request, shownSchema(row), { cached })
    })
    http.get(`${one}/posts`, { schema: schemas.ListPostsOfTypeRoute, config: read }, async (request) => {
      const { key } = request.params
      const { posts, pagination } = await listPostsOfType(ctx, request.auth?.user, key, request.query)
      return envelope(request, posts, listMetaOf(pagination))
    })
    const validate = { access: writers(ctx.config), limit: 'write', module, largeBody: true } as const
    http.post(`${one}/validate`, { schema: schemas.ValidateFieldsRoute, config: validate }, async (request) =>
      envelope(request, await validateFields(ctx, request.params.key, request.body), {}),
    )
    http.post(base, { schema: schemas.CreateDefinitionRoute, config: large }, async (request) =>
      envelope(request, shownDefinition(await createDefinition(ctx, adminOf(request), request.body)), {}),
    )
    http.put(one, { schema: schemas.UpdateDefinitionRoute, config: large }, async (request) => {
      const row = await updateDefinitionOf(ctx, adminOf(request), request.params.key, request.body)
      return envelope(request, shownDefinition(row), {})
    })
    http.delete(one, { schema: schemas.DeleteDefinitionRoute, config: admin }, async (request) => {
      const { key } = request.params
      await deleteDefinition(ctx, adminOf(request), key, request.query.reassign_to)
      return envelope(request, { type_key: key, deleted: true as const }, {})
    })
    http.post(`${one}/activate`, { schema: schemas.ActivateDefinitionRoute, config: admin }, (request) =>
      switched(request, request.params.key, true),
    )
    http.post(`${one}/deactivate`, { schema: schemas.DeactivateDefinitionRoute, config: admin }, (request) =>
      switched(request, request.params.key, false),
    )
    http.post(`${base}/reorder`, { schema: schemas.ReorderDefinitionsRoute, config: admin }, async (request) =>
      envelope(request, await reorderDefinitions(ctx, adminOf(request), request.body.order), {}),
    )

    async function switched(request: FastifyRequest, key: string, isActive: boolean) {
      const { type_key, is_active } = await setActive(ctx, adminOf(request), key, isActive)
      return envelope(request, { type_key, is_active }, {})
    }
  }

const adminOf = (request: FastifyRequest): DefinitionAdministrator => ({
  view: request.auth,
  device: deviceOf(request),
})
