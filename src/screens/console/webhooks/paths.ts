import { readHeaderLines } from '../../../lib/header-lines.ts'
import type { ResponseOf } from '../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import type { GetWebhookRoute } from '../../../webhooks/schemas.ts'

export const webhooksPath = '/admin/webhooks'

export const webhookPath = (id: string): string => `${webhooksPath}/${encodeURIComponent(id)}`
export const deliveryPath = (id: string, deliveryId: string): string =>
  `${webhookPath(id)}/deliveries/${encodeURIComponent(deliveryId)}`

/** A webhook in the API's responses. */
export type ShownWebhook = ResponseOf<typeof GetWebhookRoute>['data']

export interface TypedWebhook {
  url?: string
  description?: string | undefined
  events?: string
  /** One header per line. */
  headers?: string
  remove_headers?: string
}

export const webhookFields = ['url', 'description', 'events', 'headers']

/**
 * The event types are entered in one field. The API rejects an empty list. If the field for headers is empty, the
 * stored headers are kept, because the page cannot show their values.
 */
export function webhookBody({ url, description, events, headers = '', remove_headers }: TypedWebhook) {
  const lines = readHeaderLines(headers)
  return {
    url,
    description,
    events: typedEvents(events),
    ...((lines.length > 0 || remove_headers) && { headers: lines }),
  }
}

export const typedEvents = (text = ''): string[] => text.split(/[\s,]+/).filter(Boolean)

/** The form has one field for all headers, but API errors identify a header by its path, such as `headers.0.value`. */
export const withFormFields = (rejection: ApiRejection | undefined): ApiRejection | undefined =>
  rejection?.details
    ? {
        ...rejection,
        details: rejection.details.map((one) => (one.field.startsWith('headers') ? { ...one, field: 'headers' } : one)),
      }
    : rejection
