import bowser from 'bowser'
import type { FastifyRequest } from 'fastify'
import type { RequestDevice } from '../../context.ts'
import { canonicalAddress } from '../../lib/address.ts'
import { invalidField } from '../../lib/errors.ts'
import { programName } from './program-name.ts'

export type { RequestDevice }

export function deviceOf(request: FastifyRequest): RequestDevice {
  const { endUser } = request
  const userAgent = endUser?.userAgent ?? String(request.headers['user-agent'] ?? '').slice(0, 512)
  return {
    address: endUser?.address ?? request.clientAddress,
    userAgent,
    device: inWords(userAgent),
    acceptLanguage: request.headers['accept-language'],
    method: request.method,
    requestId: request.id,
    impersonatedBy: request.auth?.session.impersonated_by ?? undefined,
  }
}

/** Undefined members are not known. */
export interface EndUser {
  ip?: string | undefined
  user_agent?: string | undefined
  /** The IP address is not known and not compared with the one at sign-in. */
  compare?: 'user_agent' | undefined
}

/** For requests from a back end that sends its end user's IP address and user agent. */
export function endUserDevice(request: FastifyRequest, { ip, user_agent }: EndUser): RequestDevice {
  if (request.endUser) return deviceOf(request)
  const address = ip === undefined ? '' : canonicalAddress(ip)
  if (address === undefined) throw invalidField('ip', 'must be an IP address')
  const userAgent = (user_agent ?? '').slice(0, 512)
  return { ...deviceOf(request), acceptLanguage: undefined, address, userAgent, device: inWords(userAgent) }
}

export function inWords(userAgent: string): string {
  if (userAgent === '') return ''
  const { browser, os } = bowser.parse(userAgent)
  // The library names every unknown program after the word that nearly all user agents begin with.
  const name = programName(userAgent) ?? (browser.name === 'Mozilla' ? undefined : browser.name)
  return [name, os.name].filter(Boolean).join(' on ').slice(0, 100)
}

/** Matches the user agents of crawlers, link previewers, monitors and HTTP clients. CUBOT is a phone brand. */
const programs =
  /(?<!cu)bot\b|crawl|spider|slurp|headless|preview|externalhit|whatsapp|feed|monitor|scrap|^(curl|wget|python|go-http|java|node|undici|axios|libwww)/i

export const isBot = (userAgent: string): boolean =>
  userAgent === '' || programs.test(userAgent) || bowser.parse(userAgent).platform.type === 'bot'
