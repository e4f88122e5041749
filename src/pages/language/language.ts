import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { readCookies, writeCookie } from '../../http/cookies/cookies.ts'
import { needsSecure } from '../../http/cookies/session-cookie.ts'
import { sha256 } from '../../lib/hash.ts'
import { chooseLanguage } from '../../lib/locale.ts'
import { day } from '../../lib/time.ts'
import { sessionOf } from '../shared/own-form.ts'
import { type PageLanguage, pageLanguages } from '../texts/index.ts'

const cookieName = 'lang'
const lifetime = 365 * day

/**
 * The language of a page: what was chosen on this browser since its owner signed in, else the owner's own, else what was
 * chosen here before, else what the browser prefers.
 */
export function languageOf(ctx: Context, request: FastifyRequest, usersOwn?: string | null): PageLanguage {
  const chosen = chosenLanguage(request)
  const isFresh = chosen?.session === sessionMark(ctx, request)
  const wanted = isFresh ? [chosen?.lang, usersOwn] : [usersOwn, chosen?.lang]
  const { 'accept-language': preferred } = request.headers
  return chooseLanguage(pageLanguages, wanted, preferred, ctx.config.DEFAULT_LANG) as PageLanguage
}

/** Keeps what was chosen on this browser. Says nothing of an account, and changes none. */
export function rememberLanguage(ctx: Context, request: FastifyRequest, reply: FastifyReply, lang: PageLanguage) {
  const value = `${lang}.${sessionMark(ctx, request)}`
  const attributes = { sameSite: 'Lax', secure: needsSecure(ctx.config), maxAge: lifetime / 1000 } as const
  reply.header('set-cookie', writeCookie(cookieName, value, attributes))
}

function chosenLanguage(request: FastifyRequest): { lang: string; session: string } | undefined {
  const [lang = '', session = ''] = readCookies(request.headers.cookie, cookieName)[0]?.split('.') ?? []
  return pageLanguages.some((one) => one === lang) ? { lang, session } : undefined
}

/** Tells one session of this browser from the next; far too little to find either by it. */
function sessionMark(ctx: Context, request: FastifyRequest): string {
  const sessionToken = sessionOf(ctx, request)
  return sessionToken ? sha256(`language ${sessionToken}`).slice(0, 6) : ''
}
