import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { pageHeaders } from '../http/reply-headers.ts'
import { languageOf } from './language.ts'
import { languageForm } from './language-form.ts'
import type { PageContext } from './render.ts'
import { themeOf } from './theme.ts'

/** Answers with a page of ours, in the language of its reader, under a policy that only its own nonce passes. */
export function sendPage(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  render: (page: PageContext) => string,
  usersLanguage?: string | null,
): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  const { APP_NAME, PUBLIC_URL, FRONTEND_URL } = ctx.config
  pageHeaders(
    reply,
    nonce,
    new URL(FRONTEND_URL).origin === new URL(PUBLIC_URL).origin ? [] : [new URL(FRONTEND_URL).origin],
  )
  const page = {
    appName: APP_NAME,
    lang: languageOf(ctx, request, usersLanguage),
    nonce,
    publicUrl: PUBLIC_URL,
    theme: themeOf(ctx.config),
    inbox: !ctx.config.isProduction && ctx.config.SMTP_URL === undefined,
    languageForm: languageForm(ctx, request, reply.statusCode),
  }
  return reply.send(render(page))
}
