import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { pageHeaders } from '../http/reply-headers.ts'
import { chooseLanguage } from '../lib/locale.ts'
import type { PageContext } from './render.ts'
import { pageLanguages } from './texts/index.ts'

/** Answers with a page of ours, in the chosen language or that of the browser, under a policy that only its own nonce passes. */
export function sendPage(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  render: (page: PageContext) => string,
  chosenLang: string | null = null,
): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  const { APP_NAME, PUBLIC_URL, FRONTEND_URL, DEFAULT_LANG } = ctx.config
  const lang = chooseLanguage(
    pageLanguages,
    chosenLang,
    request.headers['accept-language'],
    DEFAULT_LANG,
  ) as PageContext['lang']
  pageHeaders(
    reply,
    nonce,
    new URL(FRONTEND_URL).origin === new URL(PUBLIC_URL).origin ? [] : [new URL(FRONTEND_URL).origin],
  )
  return reply.send(render({ appName: APP_NAME, lang, nonce, publicUrl: PUBLIC_URL }))
}
