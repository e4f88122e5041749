export const webhooksPath = '/admin/webhooks'
export const webhooksApi = '/auth/admin/webhooks'

export const webhookPath = (id: string): string => `${webhooksPath}/${encodeURIComponent(id)}`
export const deliveryPath = (id: string, deliveryId: string): string =>
  `${webhookPath(id)}/deliveries/${encodeURIComponent(deliveryId)}`

/** A webhook in the API's responses. */
export interface ShownWebhook {
  id: string
  url: string
  description: string
  events: string[]
  enabled: boolean
  disabled_reason: 'gone' | 'failing' | 'restored' | null
  headers: string[]
  has_former_secret: boolean
  failing_since: string | null
  paused_until: string | null
  waiting: number
  failed: number
}

export interface TypedWebhook {
  url?: string | undefined
  description?: string | undefined
  events?: string | undefined
}

export const webhookFields = ['url', 'description', 'events']

/** The event types are entered in one field. The API rejects an empty list. */
export const webhookBody = ({ url, description, events }: TypedWebhook) => ({
  url,
  description,
  events: (events ?? '').split(/[\s,]+/).filter(Boolean),
})
