import { createHmac } from 'node:crypto'
import { type Clock, second } from '../../lib/time.ts'
import { SmsRefused, type SmsSender } from './port.ts'

const answerLimit = 10 * second

export interface SmsWebhook {
  url: string
  secret: string
  clock: Clock
  /** How long the gateway may take. */
  answerMs?: number
}

/**
 * Posts `{ id, to, text }` to a gateway of the operator. `x-wardenry-signature` is the hex HMAC-SHA-256 of
 * `<x-wardenry-timestamp>.<body>` under the shared secret; the timestamp is in Unix seconds.
 */
export const createHttpSmsSender = ({ url, secret, clock, answerMs = answerLimit }: SmsWebhook): SmsSender => ({
  isConfigured: true,
  async send({ to, text }, id) {
    const body = JSON.stringify({ id, to, text })
    const timestamp = String(Math.floor(clock.now() / second))
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    const headers = {
      'content-type': 'application/json',
      'x-wardenry-timestamp': timestamp,
      'x-wardenry-signature': signature,
    }
    const status = await post(url, { body, headers, signal: AbortSignal.timeout(answerMs) })
    if (status >= 200 && status < 300) return
    const sentence = `the SMS webhook answered ${status}`
    throw isRefusal(status) ? new SmsRefused(sentence) : new Error(sentence)
  },
})

async function post(url: string, request: RequestInit): Promise<number> {
  try {
    const reply = await fetch(url, { ...request, method: 'POST', redirect: 'manual' })
    await reply.body?.cancel()
    return reply.status
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    // The address may hold a secret of the gateway: the error that names it is left behind.
    throw new Error(isLate ? 'the SMS webhook did not answer in time' : 'the SMS webhook cannot be reached')
  }
}

/** Too early, too slow and too many mend themselves (RFC 6585, RFC 8470); every other 4xx stays. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && ![408, 425, 429].includes(status)
