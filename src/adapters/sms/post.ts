import { SmsRejected } from './port.ts'

interface Post {
  url: string
  body: string
  headers: Record<string, string>
  responseMs: number
}

/** Errors contain only the gateway's name and the status because URLs and bodies may contain secrets. */
export async function post(gateway: string, { url, body, headers, responseMs }: Post): Promise<void> {
  const status = await statusOf(gateway, url, { body, headers, signal: AbortSignal.timeout(responseMs) })
  if (status >= 200 && status < 300) return
  const sentence = `${gateway} returned ${status}`
  throw isRejection(status) ? new SmsRejected(sentence) : new Error(sentence)
}

async function statusOf(gateway: string, url: string, request: RequestInit): Promise<number> {
  try {
    const reply = await fetch(url, { ...request, method: 'POST', redirect: 'manual' })
    await reply.body?.cancel()
    return reply.status
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    throw new Error(isLate ? `${gateway} did not respond in time` : `${gateway} cannot be reached`)
  }
}

/** 408, 425 and 429 are temporary (RFC 6585, RFC 8470); other 4xx statuses are permanent. */
const isRejection = (status: number): boolean => status >= 400 && status < 500 && ![408, 425, 429].includes(status)
