import Type from 'typebox'
import { done, field, form_token } from '../../../ui/console/schemas.ts'

const params = Type.Object({ webhook_id: Type.String({ maxLength: 100 }) })
const typed = { url: field, description: field, events: field, headers: field, form_token }

export const WebhooksPageRoute = { summary: 'Webhooks page', querystring: Type.Object({ done }) }

export const CreateWebhookFormRoute = { summary: 'Create a webhook', body: Type.Object(typed) }

export const WebhookPageRoute = {
  summary: 'Page of a webhook and its deliveries',
  params,
  querystring: Type.Object({
    status: Type.Optional(Type.String({ maxLength: 20 })),
    page: Type.Optional(Type.String({ maxLength: 7 })),
    count: Type.Optional(Type.String({ maxLength: 10 })),
    done,
  }),
}

export const EditWebhookFormRoute = {
  summary: 'Change a webhook',
  params,
  body: Type.Object({ ...typed, remove_headers: field }),
}

export const WebhookActionFormRoute = {
  summary: 'Enable, disable, test or replay a webhook, or replace its secret',
  params,
  body: Type.Object({ action: field, delivery_id: field, form_token }),
}

export const DeleteWebhookPageRoute = { summary: 'Page for deleting a webhook', params }
export const DeleteWebhookFormRoute = { summary: 'Delete a webhook', params, body: Type.Object({ form_token }) }

export const DeliveryPageRoute = {
  summary: 'Page of a delivery and its attempts',
  params: Type.Object({ ...params.properties, delivery_id: Type.String({ maxLength: 100 }) }),
}
