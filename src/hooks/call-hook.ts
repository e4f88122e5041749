import type { HookOutcome } from '../adapters/metrics/port.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { newId } from '../lib/ids.ts'
import { signedHeaders } from '../lib/standard-webhooks.ts'
import { iso, second } from '../lib/time.ts'
import { version } from '../lib/version.ts'

interface Hook {
  type: 'password.verify' | 'registration.check'
  url: string
  secret: string
  timeoutMs: number
  /** The member of the response that contains the decision. */
  decision: string
  count(outcome: HookOutcome): void
}

interface HookResponse extends Record<string, unknown> {
  decision: boolean
}

/** Longer responses are rejected. */
const maxResponse = 10_000

/**
 * Sends a signed request (Standard Webhooks). Returns the JSON object of a 200 response that contains the decision, or
 * undefined if there is no such response in time. Neither the request nor the response is logged, because they can
 * contain a password or personal data.
 */
export async function callHook(
  ctx: Context,
  { type, url, secret, timeoutMs, decision: member, count }: Hook,
  data: Record<string, unknown>,
): Promise<HookResponse | undefined> {
  const { host, origin } = new URL(url)
  const [id, now] = [newId(), ctx.clock.date()]
  const body = JSON.stringify({ type, id, occurred_at: iso(now), data })
  const message = { id, timestamp: Math.floor(now.getTime() / second), body }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': `Wardenry/${version}`,
    ...signedHeaders([secret], message),
  }
  try {
    const request = { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) }
    const reply = await ctx.fetch(url, request, { hosts: [host], configured: [origin] })
    if (reply.status !== 200) throw new Error(`status ${reply.status}`)
    const text = await reply.text()
    if (text.length > maxResponse) throw new Error('the response is too long')
    const answer = { ...JSON.parse(text) }
    const decision = answer[member]
    if (typeof decision !== 'boolean') throw new Error(`the response does not contain "${member}": true or false`)
    count(decision ? 'accepted' : 'refused')
    return { ...answer, decision }
  } catch (error) {
    count('failed')
    const reason = reasonOf(error, host)
    ctx.log.warn({ hook: type, reason }, 'a hook did not respond')
    await recordAudit(ctx, { event: 'dependency_down', outcome: 'failure', details: { name: type, reason } })
    return undefined
  }
}

/** Error messages of JSON.parse quote the response, so they are not used. */
const reasonOf = (error: unknown, host: string): string =>
  error instanceof SyntaxError || !(error instanceof Error) ? `${host} did not respond with JSON` : error.message
