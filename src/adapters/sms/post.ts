import { SmsRefused } from './port.ts'

interface Post {
  url: string
  body: string
  headers: Record<string, string>
  /** How long the gateway may take. */
  answerMs: number
}

/**
 * Posts to a gateway; returns once it has taken the message, rejects as the port says. No error carries more than the
 * gateway's name and status: its address, its answer and what was posted may all hold what nobody should read.
 */
export async function post(gateway: string, { url, body, headers, answerMs }: Post): Promise<void> {
  const status = await statusOf(gateway, url, { body, headers, signal: AbortSignal.timeout(answerMs) })
  if (status >= 200 && status < 300) return
  const sentence = `${gateway} answered ${status}`
  throw isRefusal(status) ? new SmsRefused(sentence) : new Error(sentence)
}

async function statusOf(gateway: string, url: string, request: RequestInit): Promise<number> {
  try {
    const reply = await fetch(url, { ...request, method: 'POST', redirect: 'manual' })
    await reply.body?.cancel()
    return reply.status
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    throw new Error(isLate ? `${gateway} did not answer in time` : `${gateway} cannot be reached`)
  }
}

/** Too early, too slow and too many mend themselves (RFC 6585, RFC 8470); every other 4xx stays. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && ![408, 425, 429].includes(status)
