import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/load.ts'
import type { Context } from '../context.ts'
import { type Device, deviceOf } from '../http/access/device.ts'
import { readCookies, writeCookie } from '../http/cookies/cookies.ts'
import { needsSecure } from '../http/cookies/session-cookie.ts'
import { keyedHash } from '../lib/hash.ts'
import { day } from '../lib/time.ts'
import type { UserWithPassword } from '../users/queries.ts'
import { isMarkFor, newMark } from './browser-mark.ts'

const lifetime = 180 * day

// The prefix requires Secure, which is not possible with plain http.
const nameOf = (config: Config): string => (needsSecure(config) ? '__Host-kd' : 'kd')

export interface Owner {
  id: string
  /** Changes with the password, which invalidates the marks of browsers. */
  passwordMark: string
}

export const ownerOf = (
  config: Config,
  { id, password_hash }: Pick<UserWithPassword, 'id' | 'password_hash'>,
): Owner => ({
  id,
  passwordMark: keyedHash(config.AUTH_SECRET, 'password-mark', password_hash ?? ''),
})

const subjectOf = ({ id, passwordMark }: Owner): string => `${id}.${passwordMark}`

/** Contains no personal data, and proves nothing else. */
export function rememberDevice(reply: FastifyReply, config: Config, owner: Owner, now: number): void {
  const value = newMark(config, 'known-device', subjectOf(owner), now)
  const cookie = writeCookie(nameOf(config), value, {
    sameSite: 'Lax',
    secure: needsSecure(config),
    maxAge: lifetime / 1000,
  })
  reply.header('set-cookie', cookie)
}

/** Under the present password and within the lifetime. */
export function isKnownDevice(
  request: FastifyRequest,
  config: Config,
  user: Pick<UserWithPassword, 'id' | 'password_hash'> | undefined,
  now: number,
): boolean {
  // Same work for unknown users, against timing attacks.
  return isRemembered(request, config, ownerOf(config, user ?? nobody), now) && user !== undefined
}

export function isRemembered(request: FastifyRequest, config: Config, owner: Owner, now: number): boolean {
  const [mark] = readCookies(request.headers.cookie, nameOf(config))
  return isMarkFor(config, 'known-device', subjectOf(owner), { mark, now, lifetime })
}

const nobody = { id: '', password_hash: null }

export interface From {
  device: Device
  isKnown: (user: UserWithPassword) => boolean
}

export const fromOf = ({ config, clock }: Context, request: FastifyRequest): From => ({
  device: deviceOf(request),
  isKnown: (user) => isKnownDevice(request, config, user, clock.now()),
})
