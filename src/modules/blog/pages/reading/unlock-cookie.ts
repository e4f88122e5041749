import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../../context.ts'
import { onlyCookie, writeCookie } from '../../../../http/cookies/cookies.ts'
import { needsSecure } from '../../../../http/cookies/session-cookie.ts'
import { seal, tryUnseal } from '../../../../lib/seal.ts'
import { hour } from '../../../../lib/time.ts'

/** The password of the last protected post that the visitor opened. The cookie is encrypted and valid for an hour. */
export interface UnlockCookie {
  passwordFor(name: string): string | undefined
  /** `names`: the post's slugs in all languages. */
  keep(names: readonly string[], password: string): void
}

export function unlockCookie(ctx: Context, request: FastifyRequest, reply: FastifyReply): UnlockCookie {
  const secure = needsSecure(ctx.config)
  // The prefix prevents other hosts in the domain from setting the cookie.
  const cookie = `${secure ? '__Host-' : ''}blog_unlock`
  const write = (value: string, maxAge: number) =>
    reply.header('set-cookie', writeCookie(cookie, value, { sameSite: 'Lax', secure, maxAge }))
  return {
    passwordFor(name) {
      const sealed = onlyCookie(request.headers.cookie, cookie)
      const kept = sealed === undefined ? undefined : tryUnseal(ctx.dataKeys, sealed)
      if (kept === undefined) return undefined
      const { names, until, password }: KeptPassword = JSON.parse(kept)
      return names.includes(name) && until > ctx.clock.now() ? password : undefined
    },
    keep(names, password) {
      const kept: KeptPassword = { names: names.slice(0, maxNames), until: ctx.clock.now() + hour, password }
      write(seal(ctx.dataKeys, JSON.stringify(kept)), hour / 1000)
    },
  }
}

interface KeptPassword {
  names: string[]
  until: number
  password: string
}

/** Browsers limit a cookie to 4 kB, and a slug can be up to 200 characters long. */
const maxNames = 8

/** Encodes each UTF-8 byte as one Latin-1 character. Undefined if the password contains control characters. */
export const passwordHeader = (password: string | undefined): Record<string, string> | undefined =>
  password === undefined || /\p{Cc}/u.test(password)
    ? undefined
    : { 'x-post-password': Buffer.from(password).toString('latin1') }
