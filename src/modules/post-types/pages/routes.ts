import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { type AdminVisit, adminPages } from '../../../ui/console/admin-visit.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { filledBehaviors } from '../behaviors.ts'
import type { ShownDefinition } from '../definition-schemas.ts'
import { DeleteDefinitionRoute } from '../schemas.ts'
import { type DesignerValues, designerValuesOf } from './designer-values.ts'
import { type Designer, designerPage } from './designer-view.ts'
import { typesPage } from './list-view.ts'
import { getType, loadTypes, saveType } from './save-type.ts'
import {
  CreateTypeFormRoute,
  designerPaths,
  NewTypePageRoute,
  RemoveTypeFormRoute,
  removePath,
  TypeFormRoute,
  TypePageRoute,
  TypesPageRoute,
  typePath,
} from './schemas.ts'

export const designerPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, designerPaths.list)
    const read = { ...readByAnyone, module: 'post-types' } as const
    const form = { ...postedByAnyone, module: 'post-types' } as const
    const large = { ...form, largeBody: true } as const

    pages.get(designerPaths.list, { schema: TypesPageRoute, config: read }, async (member, { query }) => {
      const list = { area: member.area, types: await loadTypes(member), done: query.done }
      return member.show((page) => typesPage(list, page))
    })
    pages.get(designerPaths.create, { schema: NewTypePageRoute, config: read }, (member) =>
      show(member, { type: undefined, values: valuesOfNewType }),
    )
    pages.post(designerPaths.create, { schema: CreateTypeFormRoute, config: large }, (member, { body }) =>
      saveType(member, { type: undefined, values: body as DesignerValues }, show),
    )
    pages.get(designerPaths.type, { schema: TypePageRoute, config: read }, async (member, { params, query }) => {
      const type = await getType(member, params.key)
      return show(member, { type, values: designerValuesOf(type), done: query.done })
    })
    pages.post(designerPaths.type, { schema: TypeFormRoute, config: large }, async (member, { params, body }) => {
      const type = await getType(member, params.key)
      return saveType(member, { type, values: body as DesignerValues }, show)
    })
    pages.post(designerPaths.remove, { schema: RemoveTypeFormRoute, config: form }, async (member, request) => {
      const type = await getType(member, request.params.key)
      const { reassign_to: reassignTo = '', form_token: formToken } = request.body
      const params = { key: type.type_key }
      const remove = call(DeleteDefinitionRoute, { params, query: { reassign_to: reassignTo } })
      const response = await member.submit(removePath(type.type_key), formToken, remove)
      if (response.ok) return member.go(`${designerPaths.list}?done=deleted`)
      return show(member, { type, values: designerValuesOf(type), rejection: response.rejection }, response.status)
    })

    async function show(member: AdminVisit, edited: EditedType, status = 200): Promise<FastifyReply> {
      const { type } = edited
      const others = type ? (await loadTypes(member)).filter(({ type_key }) => type_key !== type.type_key) : []
      const designer: Designer = {
        ...edited,
        area: member.area,
        others,
        hasRestrictions: ctx.modules.isInstalled('post-types', 'ext-type-restriction'),
        formToken: member.sign(type ? typePath(type.type_key) : designerPaths.create),
        removeToken: type ? member.sign(removePath(type.type_key)) : '',
      }
      return member.show((page) => designerPage(designer, page), status)
    }
  }

type EditedType = Pick<Designer, 'type' | 'values' | 'effects' | 'rejection' | 'done'>

const valuesOfNewType: DesignerValues = designerValuesOf({
  ...{ id: '', type_key: '', type_name: '', description: '', slug_prefix: '', icon: '', color: '' },
  ...{ is_active: true, is_built_in: false, sort_order: 0, created_at: '', updated_at: '' },
  field_schema: [],
  behaviors: filledBehaviors('', {}) as ShownDefinition['behaviors'],
})
