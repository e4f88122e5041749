import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { onlyCookie, writeCookie } from '../../http/cookies/cookies.ts'
import { needsSecure } from '../../http/cookies/session-cookie.ts'
import { hour } from '../../lib/time.ts'

/**
 * Each cookie stores a link token, a mailed code or its id, an email address, a registration or recovery that
 * has begun, the page requested before sign-in, or whether a browser in which a password was entered can create
 * passkeys.
 */
export type StateCookie = (typeof stateCookies)[number]
export const stateCookies = [
  'reset',
  'reset_code',
  'setup',
  'registered',
  'registration',
  'recovery',
  'forgot',
  'mailed',
  'wanted',
  'accepted',
  'upgrade',
  'passkey_link',
] as const

const lifetime = hour

// The prefix prevents other hosts in the domain from setting the cookie.
const nameOf = (config: Context['config'], what: StateCookie): string =>
  `${needsSecure(config) ? '__Host-' : ''}kept_${what}`

/** Stores the value in a cookie to keep it out of URLs and the browser history. */
export const setStateCookie = (ctx: Context, reply: FastifyReply, what: StateCookie, value: string): void =>
  write(ctx, reply, what, { value: Buffer.from(value).toString('base64url'), maxAge: lifetime / 1000 })

export function readStateCookie({ config }: Context, request: FastifyRequest, what: StateCookie): string | undefined {
  const cookie = onlyCookie(request.headers.cookie, nameOf(config, what))
  return cookie && cookie.length <= 500 ? Buffer.from(cookie, 'base64url').toString() : undefined
}

export const clearStateCookie = (ctx: Context, reply: FastifyReply, what: StateCookie): void =>
  write(ctx, reply, what, { value: '', maxAge: 0 })

function write({ config }: Context, reply: FastifyReply, what: StateCookie, { value, maxAge }: Cookie): void {
  // `SameSite` is `Lax` because users return from webmail, which is another site.
  const attributes = { sameSite: 'Lax', secure: needsSecure(config), maxAge } as const
  reply.header('set-cookie', writeCookie(nameOf(config, what), value, attributes))
}

interface Cookie {
  value: string
  /** In seconds. */
  maxAge: number
}
