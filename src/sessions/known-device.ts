import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/load.ts'
import type { Context } from '../context.ts'
import { readCookies, writeCookie } from '../http/cookies.ts'
import { type Device, deviceOf } from '../http/device.ts'
import { needsSecure } from '../http/session-cookie.ts'
import { equalSecrets, keyedHash } from '../lib/hash.ts'
import { day } from '../lib/time.ts'

const lifetime = 180 * day

// The __Host- prefix demands Secure, which plain http on loopback cannot give.
const nameOf = (config: Config): string => (needsSecure(config) ? '__Host-kd' : 'kd')

const signature = (config: Config, userId: string, device: string, issued: string): string =>
  keyedHash(config.AUTH_SECRET, 'known-device', `${userId}.${device}.${issued}`)

/** Remembers on this browser that the user has signed in here. Proves nothing else, and names nobody. */
export function rememberDevice(reply: FastifyReply, config: Config, userId: string, now: number): void {
  const [device, issued] = [randomBytes(12).toString('base64url'), Math.floor(now / 1000).toString(36)]
  const value = [device, issued, signature(config, userId, device, issued)].join('.')
  const cookie = writeCookie(nameOf(config), value, {
    sameSite: 'Lax',
    secure: needsSecure(config),
    maxAge: lifetime / 1000,
  })
  reply.header('set-cookie', cookie)
}

/** The device's name when it was remembered for this very user and not too long ago. */
export function knownDevice(
  request: FastifyRequest,
  config: Config,
  userId: string | undefined,
  now: number,
): string | undefined {
  const [cookie] = readCookies(request.headers.cookie, nameOf(config))
  const [device = '', issued = '', mac = ''] = cookie?.split('.') ?? []
  if (!userId || !mac || !equalSecrets(mac, signature(config, userId, device, issued))) return undefined
  return now - Number.parseInt(issued, 36) * 1000 < lifetime ? device : undefined
}

/** Where somebody who is signed in acts from. */
export interface From {
  device: Device
  /** The device's name when this browser is remembered for the user. */
  knownDevice: string | undefined
}

export const fromOf = ({ config, clock }: Context, request: FastifyRequest): From => ({
  device: deviceOf(request),
  knownDevice: knownDevice(request, config, request.auth.user.id, clock.now()),
})
