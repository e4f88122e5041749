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

/** In order: a language chosen since sign-in, the user's language, a language chosen earlier, the browser language. */
export function pageLanguageOf(ctx: Context, request: FastifyRequest, usersOwn?: string | null): PageLanguage {
  const chosen = chosenLanguage(request)
  const isFresh = chosen?.session === sessionMark(ctx, request)
  const wanted = isFresh ? [chosen?.lang, usersOwn] : [usersOwn, chosen?.lang]
  const { 'accept-language': preferred } = request.headers
  return chooseLanguage(pageLanguages, wanted, preferred, ctx.config.DEFAULT_LANG) as PageLanguage
}

export function rememberLanguage(ctx: Context, request: FastifyRequest, reply: FastifyReply, lang: PageLanguage) {
  const value = `${lang}.${sessionMark(ctx, request)}`
  const attributes = { sameSite: 'Lax', secure: needsSecure(ctx.config), maxAge: lifetime / 1000 } as const
  reply.header('set-cookie', writeCookie(cookieName, value, attributes))
}

function chosenLanguage(request: FastifyRequest): { lang: string; session: string } | undefined {
  const [lang = '', session = ''] = readCookies(request.headers.cookie, cookieName)[0]?.split('.') ?? []
  return pageLanguages.some((one) => one === lang) ? { lang, session } : undefined
}

/** Returns a hash that distinguishes this browser's sessions but is too short to identify a session. */
function sessionMark(ctx: Context, request: FastifyRequest): string {
  const sessionToken = sessionOf(ctx, request)
  return sessionToken ? sha256(`language ${sessionToken}`).slice(0, 6) : ''
}
