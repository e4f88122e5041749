import { FetchFailed, type GuardedFetch } from '../adapters/fetch/port.ts'
import type { Context } from '../context.ts'
import { shownEvent } from '../events/read-events.ts'
import { unseal } from '../lib/seal.ts'
import { signedHeaders } from '../lib/standard-webhooks.ts'
import { second } from '../lib/time.ts'
import { version } from '../lib/version.ts'
import type { ClaimedDelivery } from './delivery-queries.ts'
import { openHeaders } from './headers.ts'
import type { WebhookRow } from './queries.ts'
import { readRetryAfter } from './retry-schedule.ts'

/** The outcome of one delivery attempt. */
export interface Outcome {
  startedAt: Date
  durationMs: number
  /** Null if there was no response. */
  status: number | null
  error: string | null
  response: string | null
  /** The pause in milliseconds, if the receiver requested one. */
  retryAfter?: number | undefined
}

export const storedResponse = 1_024

export const isAccepted = ({ status }: Outcome): boolean => status !== null && status >= 200 && status < 300

/** The id and the body are the same in every attempt. Each attempt has a new timestamp and signature. */
export async function sendEvent(
  { clock, config, dataKeys }: Context,
  fetch: GuardedFetch,
  { webhook, event, signal }: { webhook: WebhookRow; event: ClaimedDelivery; signal: AbortSignal },
): Promise<Outcome> {
  const startedAt = clock.date()
  const begin = performance.now()
  const { host, origin } = new URL(webhook.url)
  const policy = { hosts: [host], configured: config.EVENT_ALLOW_PRIVATE_HOSTS ? [origin] : [] }
  const told = () => ({ startedAt, durationMs: Math.round(performance.now() - begin) })
  try {
    const body = JSON.stringify(shownEvent(event))
    const secrets = [webhook.secret, webhook.former_secret].filter((one) => one !== null)
    const headers = {
      ...Object.fromEntries(openHeaders(dataKeys, webhook.headers).map(({ name, value }) => [name, value])),
      'content-type': 'application/json',
      'user-agent': `Wardenry/${version}`,
      ...signedHeaders(
        secrets.map((sealed) => unseal(dataKeys, sealed)),
        { id: event.id, timestamp: Math.floor(startedAt.getTime() / second), body },
      ),
    }
    const reply = await fetch(webhook.url, { method: 'POST', headers, body, signal }, policy)
    const response = storable(await reply.text())
    const retryAfter = readRetryAfter(reply.headers.get('retry-after'), clock.now())
    return { ...told(), status: reply.status, error: null, response, retryAfter }
  } catch (error) {
    const sentence = error instanceof FetchFailed ? error.message : 'the request could not be sent'
    return { ...told(), status: null, error: sentence, response: null }
  }
}

/** PostgreSQL cannot store NUL characters or lone surrogates. */
const storable = (text: string): string => text.slice(0, storedResponse).toWellFormed().replaceAll('\0', '\ufffd')
