import type { FastifyRequest } from 'fastify'
import { signedInAdmin } from '../admin/locked-target.ts'
import type { Context } from '../context.ts'
import { staffWith } from '../http/access/access.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { createWebhook, deleteWebhook, rotateSecret, updateWebhookOf } from './change-webhook.ts'
import { GetDeliveryRoute, ListDeliveriesRoute } from './delivery-schemas.ts'
import { getDelivery, listDeliveries } from './list-deliveries.ts'
import { replay, testWebhook } from './replay.ts'
import * as schemas from './schemas.ts'
import { getWebhook, listWebhooks } from './show-webhook.ts'

const config = { access: staffWith('webhooks:manage'), limit: 'admin' } as const
const base = '/auth/admin/webhooks'
const one = `${base}/:webhook_id`

export const webhookRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(base, { schema: schemas.ListWebhooksRoute, config }, async () =>
      done({ webhooks: await listWebhooks(ctx) }),
    )
    http.post(base, { schema: schemas.CreateWebhookRoute, config }, async (request) => {
      const { id, secret } = await createWebhook(ctx, callerOf(request), request.body)
      return done({ webhook: await getWebhook(ctx, id), secret })
    })

    http.get(one, { schema: schemas.GetWebhookRoute, config }, async ({ params }) =>
      done(await getWebhook(ctx, params.webhook_id)),
    )
    http.put(one, { schema: schemas.UpdateWebhookRoute, config }, async (request) => {
      await updateWebhookOf(ctx, about(request, request.params), request.body)
      return done(await getWebhook(ctx, request.params.webhook_id))
    })
    http.delete(one, { schema: schemas.DeleteWebhookRoute, config }, async (request) => {
      await deleteWebhook(ctx, about(request, request.params))
      return { success: true as const, message: 'The webhook was deleted.' }
    })

    http.post(`${one}/secret`, { schema: schemas.RotateSecretRoute, config }, async (request) =>
      done({ secret: await rotateSecret(ctx, about(request, request.params)) }),
    )
    http.post(`${one}/test`, { schema: schemas.TestWebhookRoute, config }, async (request) => {
      await testWebhook(ctx, about(request, request.params))
      return { success: true as const, message: 'The test event will be sent within seconds.' }
    })
    http.post(`${one}/replay`, { schema: schemas.ReplayRoute, config }, async (request) =>
      done(await replay(ctx, about(request, request.params), request.body)),
    )

    http.get(`${one}/deliveries`, { schema: ListDeliveriesRoute, config }, async ({ params, query }) =>
      done(await listDeliveries(ctx, params.webhook_id, query)),
    )
    http.get(`${one}/deliveries/:delivery_id`, { schema: GetDeliveryRoute, config }, async ({ params }) =>
      done(await getDelivery(ctx, params.webhook_id, params.delivery_id)),
    )
  }

const callerOf = (request: FastifyRequest) => ({ principal: signedInAdmin(request), session: request.auth })

const about = (request: FastifyRequest, { webhook_id }: { webhook_id: string }) => ({
  ...callerOf(request),
  id: webhook_id,
})

const done = <Data>(data: Data) => ({ success: true as const, data })
