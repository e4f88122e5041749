import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/load.ts'
import type { Context } from '../context.ts'
import { deviceOf, type RequestDevice } from '../http/access/device.ts'
import { readCookies, writeCookie } from '../http/cookies/cookies.ts'
import { needsSecure } from '../http/cookies/session-cookie.ts'
import { keyedHash } from '../lib/hash.ts'
import { day } from '../lib/time.ts'
import type { UserWithPassword } from '../users/queries.ts'
import { issueBrowserToken, verifyBrowserToken } from './browser-token.ts'

const lifetime = 180 * day

// The prefix `__Host-` requires the attribute Secure, which plain HTTP does not support.
const nameOf = (config: Config): string => (needsSecure(config) ? '__Host-kd' : 'kd')

export interface DeviceOwner {
  id: string
  /** Changes with the password. Tokens of known browsers then become invalid. */
  passwordMark: string
}

export const deviceOwnerOf = (
  config: Config,
  { id, password_hash }: Pick<UserWithPassword, 'id' | 'password_hash'>,
): DeviceOwner => ({
  id,
  passwordMark: keyedHash(config.AUTH_SECRET, 'password-mark', password_hash ?? ''),
})

const subjectOf = ({ id, passwordMark }: DeviceOwner): string => `${id}.${passwordMark}`

/** The cookie contains no personal data and proves only that this browser is known. */
export function rememberDevice(reply: FastifyReply, config: Config, owner: DeviceOwner, now: number): void {
  const value = issueBrowserToken(config, 'known-device', subjectOf(owner), now)
  const cookie = writeCookie(nameOf(config), value, {
    sameSite: 'Lax',
    secure: needsSecure(config),
    maxAge: lifetime / 1000,
  })
  reply.header('set-cookie', cookie)
}

/** Accepts a token only within its lifetime, and only if the password has not changed since it was issued. */
export function isKnownDevice(
  request: FastifyRequest,
  config: Config,
  user: Pick<UserWithPassword, 'id' | 'password_hash'> | undefined,
  now: number,
): boolean {
  // Does the same work for unknown users, to prevent timing attacks.
  return isRemembered(request, config, deviceOwnerOf(config, user ?? nobody), now) && user !== undefined
}

export function isRemembered(request: FastifyRequest, config: Config, owner: DeviceOwner, now: number): boolean {
  const [mark] = readCookies(request.headers.cookie, nameOf(config))
  return verifyBrowserToken(config, 'known-device', subjectOf(owner), { mark, now, lifetime })
}

const nobody = { id: '', password_hash: null }

export interface SignInDevice {
  device: RequestDevice
  isKnown: (user: UserWithPassword) => boolean
}

export const signInDeviceOf = ({ config, clock }: Context, request: FastifyRequest): SignInDevice => ({
  device: deviceOf(request),
  isKnown: (user) => isKnownDevice(request, config, user, clock.now()),
})
