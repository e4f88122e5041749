import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { AppError } from '../../../../lib/errors.ts'
import { second } from '../../../../lib/time.ts'
import { readApplications } from '../../../../screens/console/applications/read-applications.ts'
import { type AdminVisit, adminPages } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { type PageDeclarations, postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { readDeclaredScopes } from '../../../api-keys/pages/scope-words.ts'
import * as api from '../../resources/schemas.ts'
import { type ConfirmedDeed, confirmDeedPage } from '../confirm/view.ts'
import type { TypedValues } from '../form-values.ts'
import { newResourcePath, resourceListPath, resourcePath, type ShownResource } from '../paths.ts'
import { readResources, readServers } from '../read-choices.ts'
import * as schemas from '../schemas.ts'
import { resourcesPage } from './list/view.ts'
import { newResourcePage } from './new/view.ts'
import { type ResourcePage, resourcePage } from './resource/view.ts'
import { resourceInput, type TokenDefaults } from './resource-fields.ts'

const module = 'oauth'
const read = { ...readByAnyone, module } as const
const form = { ...postedByAnyone, module } as const
const one = `${resourceListPath}/:resource_id`

type Pages = PageDeclarations<AdminVisit>

interface Rejected {
  status: number
  rejection: ApiRejection
}

export const resourcePageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, resourceListPath, ({ params }) => {
      const { resource_id: id } = params as { resource_id?: string }
      return id === undefined ? newResourcePath : resourcePath(id)
    })
    declareLists(ctx, pages)
    declareOne(ctx, pages)
    declareConfirmed(pages)
  }

const defaultsOf = ({ config }: Context): TokenDefaults => ({
  alg: config.OAUTH_ACCESS_TOKEN_ALG,
  lifetime: config.OAUTH_ACCESS_TOKEN_TTL / second,
})

function declareLists(ctx: Context, pages: Pages): void {
  const showNew = async (member: AdminVisit, typed: TypedValues, rejected?: Rejected) => {
    if (!member.can('applications:manage')) throw new AppError('FORBIDDEN')
    const data = {
      ...{ area: member.area, applications: await readApplications(member), defaults: defaultsOf(ctx), typed },
      ...{ form: member.sign(newResourcePath), rejection: rejected?.rejection },
    }
    return member.show((page) => newResourcePage(data, page), rejected?.status)
  }
  pages.get(resourceListPath, { schema: schemas.ResourcesPageRoute, config: read }, async (member, { query }) => {
    const resources = await readResources(member)
    const declared = await readDeclaredScopes(member)
    const data = { area: member.area, resources, declared, mayAdd: member.can('applications:manage'), done: query.done }
    return member.show((page) => resourcesPage(data, page))
  })
  pages.get(newResourcePath, { schema: schemas.NewResourcePageRoute, config: read }, (member) => showNew(member, {}))
  pages.post(newResourcePath, { schema: schemas.CreateResourceFormRoute, config: form }, async (member, request) => {
    const { form_token: formToken, ...typed } = request.body
    const body = { application_id: typed.application_id, ...resourceInput(typed) }
    const response = await member.submit(newResourcePath, formToken, call(api.CreateResourceRoute, { body }))
    if (!response.ok) return showNew(member, typed, response)
    return member.go(`${resourcePath(response.body.data.id)}?done=created`)
  })
}

function declareOne(ctx: Context, pages: Pages): void {
  pages.get(one, { schema: schemas.ResourcePageRoute, config: read }, (member, { params, query }) =>
    showResource(ctx, member, params.resource_id, { done: query.done }),
  )
  pages.post(`${one}/edit`, { schema: schemas.EditResourceFormRoute, config: form }, async (member, request) => {
    const { form_token: formToken, expected_updated_at = '', ...typed } = request.body
    const { params } = request
    const path = resourcePath(params.resource_id)
    const body = { ...resourceInput(typed), expected_updated_at }
    const response = await member.submit(`${path}/edit`, formToken, call(api.UpdateResourceRoute, { params, body }))
    if (response.ok) return member.go(`${path}?done=changed`)
    const { rejection, status } = response
    return showResource(ctx, member, params.resource_id, { typed, rejection, status })
  })
  pages.post(
    `${one}/enable`,
    { schema: schemas.EnableResourceFormRoute, config: form },
    async (member, { params, body }) => {
      const path = resourcePath(params.resource_id)
      const enable = call(api.UpdateResourceRoute, { params, body: { enabled: true } })
      const response = await member.submit(`${path}/enable`, body.form_token, enable)
      if (response.ok) return member.go(`${path}?done=enabled`)
      return showResource(ctx, member, params.resource_id, response)
    },
  )
}

function declareConfirmed(pages: Pages): void {
  const show = async (member: AdminVisit, id: string, deed: ConfirmedDeed, rejected?: Rejected) => {
    if (!member.can('applications:manage')) throw new AppError('FORBIDDEN')
    const { name } = await getResourceOf(member, id)
    const [path, { area }] = [resourcePath(id), member]
    const about = { area, about: 'resources', deed, name, path, form: member.sign(`${path}/${deed}`) } as const
    const data = { ...about, rejection: rejected?.rejection }
    return member.show((page) => confirmDeedPage(data, page), rejected?.status)
  }
  pages.get(`${one}/disable`, { schema: schemas.DisableResourcePageRoute, config: read }, (member, { params }) =>
    show(member, params.resource_id, 'disable'),
  )
  pages.post(
    `${one}/disable`,
    { schema: schemas.DisableResourceFormRoute, config: form },
    async (member, { params, body }) => {
      const path = resourcePath(params.resource_id)
      const disable = call(api.UpdateResourceRoute, { params, body: { enabled: false } })
      const response = await member.submit(`${path}/disable`, body.form_token, disable)
      return response.ok ? member.go(`${path}?done=disabled`) : show(member, params.resource_id, 'disable', response)
    },
  )
  pages.get(`${one}/delete`, { schema: schemas.DeleteResourcePageRoute, config: read }, (member, { params }) =>
    show(member, params.resource_id, 'delete'),
  )
  pages.post(
    `${one}/delete`,
    { schema: schemas.DeleteResourceFormRoute, config: form },
    async (member, { params, body }) => {
      const path = resourcePath(params.resource_id)
      const remove = call(api.DeleteResourceRoute, { params })
      const response = await member.submit(`${path}/delete`, body.form_token, remove)
      if (response.ok) return member.go(`${resourceListPath}?done=deleted`)
      return show(member, params.resource_id, 'delete', response)
    },
  )
}

const getResourceOf = (member: AdminVisit, id: string): Promise<ShownResource> =>
  member.read(call(api.GetResourceRoute, { params: { resource_id: id } }))

type ResourceState = Pick<ResourcePage, 'done' | 'typed' | 'rejection'> & { status?: number }

async function showResource(ctx: Context, member: AdminVisit, id: string, { done, typed, ...more }: ResourceState) {
  const path = resourcePath(id)
  const resource = await getResourceOf(member, id)
  const data = {
    declared: await readDeclaredScopes(member, resource.application.key),
    ...{ area: member.area, resource, defaults: defaultsOf(ctx) },
    servers: await readServers(member, id),
    mayChange: member.can('applications:manage'),
    forms: { edit: member.sign(`${path}/edit`), enable: member.sign(`${path}/enable`) },
    ...{ done, typed, rejection: more.rejection },
  }
  return member.show((page) => resourcePage(data, page), more.status)
}
