import { createHmac } from 'node:crypto'
import { type Clock, second } from '../../lib/time.ts'
import type { SmsSender } from './port.ts'
import { post } from './post.ts'

export interface SmsWebhook {
  url: string
  secret: string
  clock: Clock
  responseMs?: number
}

/** `x-wardenry-signature` is the HMAC-SHA-256 of `<x-wardenry-timestamp>.<body>` in hexadecimal. */
export const createHttpSmsSender = ({ url, secret, clock, responseMs = 10 * second }: SmsWebhook): SmsSender => ({
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
    await post('the SMS webhook', { url, body, headers, responseMs })
  },
})
