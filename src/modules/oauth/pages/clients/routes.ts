import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { AppError } from '../../../../lib/errors.ts'
import { type AdminVisit, adminPages } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { type PageDeclarations, postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { existingUserTypes } from '../../../../users/fields.ts'
import { readDeclaredScopes, scopesOf } from '../../../api-keys/pages/scope-words.ts'
import { clientStates } from '../../clients/queries.ts'
import * as api from '../../clients/schemas.ts'
import { isUserClient } from '../../clients/sign-in-input.ts'
import { offeredOidcScopes } from '../../oidc-scopes.ts'
import { type ConfirmedDeed, confirmDeedPage } from '../confirm/view.ts'
import { chosenResources, lifetimeIn, type TypedValues } from '../form-values.ts'
import { clientListPath, clientPath, newClientPath, type ShownClient } from '../paths.ts'
import { readAccounts, readResources } from '../read-choices.ts'
import * as schemas from '../schemas.ts'
import { type ClientPage, clientPage } from './client/view.ts'
import { declareClientGrants } from './grants/routes.ts'
import { clientsPage } from './list/view.ts'
import { declareNewClient } from './new/routes.ts'
import { declareClientRejections } from './rejections/routes.ts'
import { declareClientSecrets } from './secrets/routes.ts'
import { signInValues } from './sign-in/sign-in-values.ts'
import { declareClientTest } from './test/routes.ts'

const module = 'oauth'
const read = { ...readByAnyone, module } as const
const form = { ...postedByAnyone, module } as const
const one = `${clientListPath}/:client_id`

type Pages = PageDeclarations<AdminVisit>

export const clientPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, clientListPath, ({ params }) => {
      const { client_id: id } = params as { client_id?: string }
      return id === undefined ? newClientPath : clientPath(id)
    })
    declareList(ctx, pages)
    declareNewClient(ctx, pages)
    declareOne(ctx, pages)
    declareConfirmed(pages)
    declareClientSecrets(ctx, pages)
    declareClientTest(pages)
    declareClientRejections(pages)
    declareClientGrants(ctx, pages)
  }

function declareList(ctx: Context, pages: Pages): void {
  pages.get(clientListPath, { schema: schemas.ClientsPageRoute, config: read }, async (member, { query }) => {
    const q = query.q?.trim().slice(0, 100) || undefined
    const state = clientStates.find((known) => known === query.state)
    const page = /^[1-9]\d{0,3}$/.test(query.page ?? '') ? query.page : '1'
    const found = await member.read(call(api.ListClientsRoute, { query: { q, state, page, limit: 25 } }))
    const mayAdd = member.can('applications:manage')
    const data = { area: member.area, found, search: { q, state }, mayAdd, now: ctx.clock.now(), done: query.done }
    return member.show((page) => clientsPage(data, page))
  })
}

function declareOne(ctx: Context, pages: Pages): void {
  pages.get(one, { schema: schemas.ClientPageRoute, config: read }, (member, { params, query }) =>
    showClient(ctx, member, params.client_id, { done: query.done }),
  )
  pages.post(`${one}/edit`, { schema: schemas.EditClientFormRoute, config: form }, async (member, request) => {
    const { form_token: formToken, ...typed } = request.body as TypedValues
    const { params } = request
    const id = params.client_id
    const body = await updateInput(member, typed, await getClientOf(member, id))
    const path = `${clientPath(id)}/edit`
    const response = await member.submit(path, formToken, call(api.UpdateClientRoute, { params, body }))
    if (response.ok) return member.go(`${clientPath(id)}?done=changed`)
    return showClient(ctx, member, id, { typed, rejection: response.rejection, status: response.status })
  })
  pages.post(
    `${one}/enable`,
    { schema: schemas.EnableClientFormRoute, config: form },
    async (member, { params, body }) => {
      const id = params.client_id
      const enable = call(api.UpdateClientRoute, { params, body: { enabled: true } })
      const response = await member.submit(`${clientPath(id)}/enable`, body.form_token, enable)
      if (response.ok) return member.go(`${clientPath(id)}?done=enabled`)
      return showClient(ctx, member, id, { rejection: response.rejection, status: response.status })
    },
  )
}

function declareConfirmed(pages: Pages): void {
  const show = async (
    member: AdminVisit,
    id: string,
    deed: ConfirmedDeed,
    rejected?: { status: number; rejection: ApiRejection },
  ) => {
    if (!member.can('applications:manage')) throw new AppError('FORBIDDEN')
    const { name } = await getClientOf(member, id)
    const [path, { area }] = [clientPath(id), member]
    const about = { area, about: 'clients', deed, name, path, form: member.sign(`${path}/${deed}`) } as const
    const data = { ...about, rejection: rejected?.rejection }
    return member.show((page) => confirmDeedPage(data, page), rejected?.status)
  }
  pages.get(`${one}/disable`, { schema: schemas.DisableClientPageRoute, config: read }, (member, { params }) =>
    show(member, params.client_id, 'disable'),
  )
  pages.post(
    `${one}/disable`,
    { schema: schemas.DisableClientFormRoute, config: form },
    async (member, { params, body }) => {
      const [id, path] = [params.client_id, clientPath(params.client_id)]
      const disable = call(api.UpdateClientRoute, { params, body: { enabled: false } })
      const response = await member.submit(`${path}/disable`, body.form_token, disable)
      return response.ok ? member.go(`${path}?done=disabled`) : show(member, id, 'disable', response)
    },
  )
  pages.get(`${one}/delete`, { schema: schemas.DeleteClientPageRoute, config: read }, (member, { params }) =>
    show(member, params.client_id, 'delete'),
  )
  pages.post(
    `${one}/delete`,
    { schema: schemas.DeleteClientFormRoute, config: form },
    async (member, { params, body }) => {
      const [id, path] = [params.client_id, clientPath(params.client_id)]
      const response = await member.submit(`${path}/delete`, body.form_token, call(api.DeleteClientRoute, { params }))
      return response.ok ? member.go(`${clientListPath}?done=deleted`) : show(member, id, 'delete', response)
    },
  )
}

const getClientOf = (member: AdminVisit, id: string): Promise<ShownClient> =>
  member.read(call(api.GetClientRoute, { params: { client_id: id } }))

/** The APIs that the client has stay in their order. */
async function updateInput(member: AdminVisit, typed: TypedValues, client: ShownClient) {
  const others = (await readResources(member)).map(({ id }) => id).filter((id) => !client.resources.includes(id))
  const isMachine = client.type === 'machine'
  return {
    name: typed.name?.trim() || client.client_id,
    resources: chosenResources(typed, [...client.resources, ...others]),
    ...(client.type !== 'resource_server' && { scopes: scopesOf(typed), access_ttl: lifetimeIn(typed.access_ttl) }),
    ...(isUserClient(client.type) && signInValues(client.type, typed)),
    ...(isMachine && typed.service_account_id && { service_account_id: typed.service_account_id }),
    // Without the time, the change would not notice those of others.
    expected_updated_at: typed.expected_updated_at ?? '',
  }
}

type ClientState = Pick<ClientPage, 'done' | 'typed' | 'rejection'> & { status?: number }

async function showClient(ctx: Context, member: AdminVisit, id: string, { status, ...state }: ClientState) {
  const { service_accounts: accounts, scopes: givable } = await readAccounts(member)
  const path = clientPath(id)
  const client = await getClientOf(member, id)
  const data = {
    ...{ area: member.area, client, oidcScopes: offeredOidcScopes(ctx), userTypes: existingUserTypes(ctx) },
    permissions: (await readDeclaredScopes(member, client.application.key)).map(({ key }) => key),
    resources: await readResources(member),
    declared: await readDeclaredScopes(member),
    ...{ accounts, givable, mayChange: member.can('applications:manage'), maySeeGrants: member.can('grants:read') },
    forms: { edit: member.sign(`${path}/edit`), enable: member.sign(`${path}/enable`) },
    ...{ now: ctx.clock.now(), ...state },
  }
  return member.show((page) => clientPage(data, page), status)
}
