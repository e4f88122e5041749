import bowser from 'bowser'
import type { FastifyRequest } from 'fastify'

/** Where a request comes from, as data for use cases. */
export interface Device {
  address: string
  userAgent: string
  /** In words: "Chrome on macOS". */
  device: string
  acceptLanguage: string | undefined
  method: string
  requestId: string
}

export function deviceOf(request: FastifyRequest): Device {
  const userAgent = String(request.headers['user-agent'] ?? '').slice(0, 512)
  return {
    address: request.clientAddress,
    userAgent,
    device: inWords(userAgent),
    acceptLanguage: request.headers['accept-language'],
    method: request.method,
    requestId: request.id,
  }
}

export function inWords(userAgent: string): string {
  if (userAgent === '') return ''
  const { browser, os } = bowser.parse(userAgent)
  return [browser.name, os.name].filter(Boolean).join(' on ').slice(0, 100)
}
