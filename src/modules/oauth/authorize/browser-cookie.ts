import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { onlyCookie, writeCookie } from '../../../http/cookies/cookies.ts'
import { needsSecure } from '../../../http/cookies/session-cookie.ts'
import { sha256Bytes } from '../../../lib/hash.ts'
import { newSecret } from '../../../lib/ids.ts'
import { flowLifetime } from '../../../ui/flow/flow.ts'

// The prefix prevents other hosts in the domain from setting the cookie.
const nameOf = ({ config }: Pick<Context, 'config'>): string => (needsSecure(config) ? '__Host-authorize' : 'authorize')

/** Identifies the browser that began a request for authorization. Undefined if it has begun none. */
export function browserHashOf(ctx: Context, request: FastifyRequest): Buffer | undefined {
  const value = onlyCookie(request.headers.cookie, nameOf(ctx))
  return isBrowserSecret(value) ? sha256Bytes(value) : undefined
}

const isBrowserSecret = (value: string | undefined): value is string => /^[A-Za-z0-9_-]{43}$/.test(value ?? '')

/** The same cookie for all requests of a browser. Each request extends its lifetime. */
export function keepBrowser(ctx: Context, request: FastifyRequest, reply: FastifyReply): Buffer {
  const given = onlyCookie(request.headers.cookie, nameOf(ctx))
  const value = isBrowserSecret(given) ? given : newSecret()
  // `SameSite` is `Lax` because users return from other sites, such as providers and webmail.
  const attributes = { sameSite: 'Lax', secure: needsSecure(ctx.config), maxAge: flowLifetime / 1000 } as const
  reply.header('set-cookie', writeCookie(nameOf(ctx), value, attributes))
  return sha256Bytes(value)
}
