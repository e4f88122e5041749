import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { onlyCookie, writeCookie } from '../../http/cookies/cookies.ts'
import { needsSecure } from '../../http/cookies/session-cookie.ts'
import { hour } from '../../lib/time.ts'

/**
 * What it is for: the secret of a link or a code that was shown here, the address of somebody who registered or forgot
 * the password, which message a code is of, the page of the account that somebody asked for who was not signed in.
 */
export type Kept = (typeof keptKinds)[number]
export const keptKinds = ['reset', 'reset_code', 'setup', 'registered', 'forgot', 'mailed', 'wanted'] as const

const lifetime = hour

// Under https no other host can give this browser a value: the prefix forbids it.
const nameOf = (config: Context['config'], what: Kept): string => `${needsSecure(config) ? '__Host-' : ''}kept_${what}`

/** Lets the browser hold a value for a short while, so that it stands in no address and no history. */
export const keep = (ctx: Context, reply: FastifyReply, what: Kept, value: string): void =>
  write(ctx, reply, what, { value: Buffer.from(value).toString('base64url'), maxAge: lifetime / 1000 })

export function kept({ config }: Context, request: FastifyRequest, what: Kept): string | undefined {
  const cookie = onlyCookie(request.headers.cookie, nameOf(config, what))
  return cookie && cookie.length <= 500 ? Buffer.from(cookie, 'base64url').toString() : undefined
}

export const forget = (ctx: Context, reply: FastifyReply, what: Kept): void =>
  write(ctx, reply, what, { value: '', maxAge: 0 })

function write({ config }: Context, reply: FastifyReply, what: Kept, { value, maxAge }: Cookie): void {
  // Lax: people come here from their mail program, which is another site.
  const attributes = { sameSite: 'Lax', secure: needsSecure(config), maxAge } as const
  reply.header('set-cookie', writeCookie(nameOf(config, what), value, attributes))
}

interface Cookie {
  value: string
  /** Seconds. */
  maxAge: number
}
