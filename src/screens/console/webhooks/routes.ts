import type { Context } from '../../../context.ts'
import { eventTypes } from '../../../events/types.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { type AdminVisit, adminPages } from '../../../ui/console/admin-visit.ts'
import { type ApiCall, call, type ResponseOf } from '../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { GetDeliveryRoute, ListDeliveriesRoute } from '../../../webhooks/delivery-schemas.ts'
import {
  CreateWebhookRoute,
  DeleteWebhookRoute,
  GetWebhookRoute,
  ListWebhooksRoute,
  ReplayRoute,
  RotateSecretRoute,
  TestWebhookRoute,
  UpdateWebhookRoute,
} from '../../../webhooks/schemas.ts'
import { deliveryPage } from './delivery/view.ts'
import { webhooksPage } from './list/view.ts'
import { webhookBody, webhookPath, webhooksPath } from './paths.ts'
import * as schemas from './schemas.ts'
import { deleteWebhookPage } from './webhook/delete-view.ts'
import { statuses, type WebhookPage, webhookPage } from './webhook/view.ts'

const one = `${webhooksPath}/:webhook_id`

export const webhookPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, webhooksPath, ({ params }) => {
      const { webhook_id: id } = params as { webhook_id?: string }
      return id === undefined ? webhooksPath : webhookPath(id)
    })

    pages.get(webhooksPath, { schema: schemas.WebhooksPageRoute, config: readByAnyone }, (member, { query }) =>
      showList(member, { done: query.done }),
    )
    pages.post(
      webhooksPath,
      { schema: schemas.CreateWebhookFormRoute, config: postedByAnyone },
      async (member, request) => {
        const { form_token: formToken, ...typed } = request.body
        const create = call(CreateWebhookRoute, { body: webhookBody(typed) })
        const response = await member.submit(webhooksPath, formToken, create)
        if (!response.ok) return showList(member, { typed, rejection: response.rejection }, response.status)
        const { webhook, secret } = response.body.data
        return showOne(member, webhook.id, { secret, isNew: true })
      },
    )

    pages.get(one, { schema: schemas.WebhookPageRoute, config: readByAnyone }, (member, { params, query }) => {
      const { done, count, ...search } = query
      return showOne(member, params.webhook_id, { search, outcome: { done, count } })
    })
    pages.post(
      `${one}/edit`,
      { schema: schemas.EditWebhookFormRoute, config: postedByAnyone },
      async (member, request) => {
        const { form_token: formToken, ...typed } = request.body
        const { webhook_id: id } = request.params
        const update = call(UpdateWebhookRoute, { params: { webhook_id: id }, body: webhookBody(typed) })
        const response = await member.submit(editPath(id), formToken, update)
        if (!response.ok) return showOne(member, id, { typed, rejection: response.rejection }, response.status)
        return member.go(`${webhookPath(id)}?done=changed`)
      },
    )
    pages.post(
      `${one}/act`,
      { schema: schemas.WebhookActionFormRoute, config: postedByAnyone },
      async (member, request) => {
        const { action = '', delivery_id, form_token: formToken } = request.body
        const { webhook_id: id } = request.params
        const known = Object.hasOwn(actions, action) ? actions[action] : undefined
        if (!known) return member.go(webhookPath(id))
        const response = await member.submit(actPath(id), formToken, known.call({ webhook_id: id }, delivery_id))
        if (!response.ok) return showOne(member, id, { rejection: response.rejection }, response.status)
        const data = 'data' in response.body ? response.body.data : undefined
        if (data && 'secret' in data) return showOne(member, id, { secret: data.secret })
        const count = data && 'replayed' in data ? `&count=${data.replayed}` : ''
        return member.go(`${webhookPath(id)}?done=${known.done}${count}`)
      },
    )

    pages.get(`${one}/delete`, { schema: schemas.DeleteWebhookPageRoute, config: readByAnyone }, (member, { params }) =>
      showDelete(member, params.webhook_id),
    )
    pages.post(
      `${one}/delete`,
      { schema: schemas.DeleteWebhookFormRoute, config: postedByAnyone },
      async (member, request) => {
        const { webhook_id: id } = request.params
        const remove = call(DeleteWebhookRoute, { params: { webhook_id: id } })
        const response = await member.submit(deletePath(id), request.body.form_token, remove)
        if (!response.ok) return showDelete(member, id, response)
        return member.go(`${webhooksPath}?done=deleted`)
      },
    )

    pages.get(
      `${one}/deliveries/:delivery_id`,
      { schema: schemas.DeliveryPageRoute, config: readByAnyone },
      async (member, { params }) => {
        const { webhook_id: id, delivery_id } = params
        const data = {
          area: member.area,
          webhook: await member.read(call(GetWebhookRoute, { params: { webhook_id: id } })),
          delivery: await member.read(call(GetDeliveryRoute, { params: { webhook_id: id, delivery_id } })),
          form: member.sign(actPath(id)),
          timeZone: member.profile.user.tmz ?? null,
        }
        return member.show((page) => deliveryPage(data, page))
      },
    )
  }

const editPath = (id: string): string => `${webhookPath(id)}/edit`
const actPath = (id: string): string => `${webhookPath(id)}/act`
const deletePath = (id: string): string => `${webhookPath(id)}/delete`

type ActionResponse = ResponseOf<
  typeof UpdateWebhookRoute | typeof TestWebhookRoute | typeof RotateSecretRoute | typeof ReplayRoute
>

interface Action {
  done: string
  call(params: { webhook_id: string }, deliveryId: string | undefined): ApiCall<ActionResponse>
}

const actions: Readonly<Record<string, Action>> = {
  enable: { done: 'enabled', call: (params) => call(UpdateWebhookRoute, { params, body: { enabled: true } }) },
  disable: { done: 'disabled', call: (params) => call(UpdateWebhookRoute, { params, body: { enabled: false } }) },
  test: { done: 'tested', call: (params) => call(TestWebhookRoute, { params, body: {} }) },
  rotate: { done: 'rotated', call: (params) => call(RotateSecretRoute, { params, body: {} }) },
  replay_failed: {
    done: 'replayed',
    call: (params) => call(ReplayRoute, { params, body: { failed: true } }),
  },
  replay: {
    done: 'replayed',
    call: (params, delivery_id) => call(ReplayRoute, { params, body: { delivery_id } }),
  },
}

type ListState = Pick<Parameters<typeof webhooksPage>[0], 'typed' | 'rejection' | 'done'>

async function showList(member: AdminVisit, state: ListState, status?: number) {
  const { webhooks } = await member.read(call(ListWebhooksRoute))
  const timeZone = member.profile.user.tmz ?? null
  const form = member.sign(webhooksPath)
  const data = { area: member.area, webhooks, form, timeZone, eventTypes: [...eventTypes().keys()], ...state }
  return member.show((page) => webhooksPage(data, page), status)
}

interface WebhookPageState extends Pick<WebhookPage, 'secret' | 'isNew' | 'typed' | 'rejection' | 'outcome'> {
  search?: { status?: string; page?: string }
}

async function showOne(member: AdminVisit, id: string, { search = {}, ...state }: WebhookPageState, status?: number) {
  const query = new URLSearchParams({
    limit: '25',
    page: /^[1-9]\d{0,5}$/.test(search.page ?? '') ? `${search.page}` : '1',
  })
  const wanted = statuses.find((known) => known === search.status)
  if (wanted) query.set('status', wanted)
  const data = {
    area: member.area,
    webhook: await member.read(call(GetWebhookRoute, { params: { webhook_id: id } })),
    log: await member.read(call(ListDeliveriesRoute, { params: { webhook_id: id }, query })),
    status: wanted,
    forms: { edit: member.sign(editPath(id)), act: member.sign(actPath(id)) },
    eventTypes: [...eventTypes().keys()],
    timeZone: member.profile.user.tmz ?? null,
    ...state,
  }
  return member.show((page) => webhookPage(data, page), status)
}

async function showDelete(
  member: AdminVisit,
  id: string,
  response?: { status: number; rejection: NonNullable<Parameters<typeof deleteWebhookPage>[0]['rejection']> },
) {
  const webhook = await member.read(call(GetWebhookRoute, { params: { webhook_id: id } }))
  const data = { area: member.area, webhook, form: member.sign(deletePath(id)), rejection: response?.rejection }
  return member.show((page) => deleteWebhookPage(data, page), response?.status)
}
