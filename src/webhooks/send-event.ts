import { FetchFailed } from '../adapters/fetch/port.ts'
import type { Context } from '../context.ts'
import { shownEvent } from '../events/read-events.ts'
import { unseal } from '../lib/seal.ts'
import { second } from '../lib/time.ts'
import { version } from '../lib/version.ts'
import type { ClaimedDelivery } from './delivery-queries.ts'
import type { WebhookRow } from './queries.ts'
import { readRetryAfter } from './retry-schedule.ts'
import { signedHeaders } from './secrets.ts'

/** What a receiver did with an event. */
export interface Answer {
  /** Null if no response arrived. */
  status: number | null
  error: string | null
  response: string | null
  /** Milliseconds, if the receiver asked for a pause. */
  retryAfter: number | undefined
  durationMs: number
}

const maxResponse = 1_000

export const isAccepted = ({ status }: Answer): boolean => status !== null && status >= 200 && status < 300

/** The body is the same in every attempt. The timestamp and the signature are those of the attempt. */
export async function sendEvent(
  ctx: Context,
  webhook: WebhookRow,
  event: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Answer> {
  const body = JSON.stringify(shownEvent(event))
  const secrets = [webhook.secret, webhook.former_secret].filter((one) => one !== null)
  const timestamp = Math.floor(ctx.clock.now() / second)
  const headers = {
    ...(webhook.headers && JSON.parse(unseal(ctx.dataKeys, webhook.headers))),
    'content-type': 'application/json',
    'user-agent': `Wardenry/${version}`,
    ...signedHeaders(
      secrets.map((sealed) => unseal(ctx.dataKeys, sealed)),
      { id: event.id, timestamp, body },
    ),
  }
  const { host, origin } = new URL(webhook.url)
  const policy = { hosts: [host], configured: ctx.config.WEBHOOKS_ALLOW_PRIVATE ? [origin] : [] }
  const startedAt = performance.now()
  const durationMs = () => Math.round(performance.now() - startedAt)
  try {
    const reply = await ctx.fetch(webhook.url, { method: 'POST', headers, body, signal }, policy)
    const response = readable(await reply.text())
    const retryAfter = readRetryAfter(reply.headers.get('retry-after'), ctx.clock.now())
    return { status: reply.status, error: null, response, retryAfter, durationMs: durationMs() }
  } catch (error) {
    const sentence = error instanceof FetchFailed ? error.message : 'the request failed'
    return { status: null, error: sentence, response: null, retryAfter: undefined, durationMs: durationMs() }
  }
}

/** NUL characters and lone surrogates cannot be stored. */
const readable = (text: string): string => text.slice(0, maxResponse).toWellFormed().replaceAll('\0', '\ufffd')

