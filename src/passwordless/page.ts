import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { isRegistrationAccepted } from '../registration/for-application.ts'
import { fromBrowser } from '../sessions/remembered-browsers.ts'
import { setSignInCookies } from '../sessions/responses.ts'
import { inFlow } from '../ui/flow/flow.ts'
import { flowIdOf } from '../ui/flow/flow-cookies.ts'
import { type NoticePage, noticeFor, noticePage, noticeWithLink } from '../ui/messages/notice/view.ts'
import { loginFormPath } from '../ui/shared/form-token.ts'
import { hasOwnToken, isSentFromHere } from '../ui/shared/own-form.ts'
import { hookMessage } from '../ui/shared/problem-text.ts'
import { sendPage } from '../ui/shared/send-page.ts'
import type { PageLanguage } from '../ui/texts/index.ts'
import { completeLogin } from './complete-login.ts'

/** Responds with a page or a redirect, never with JSON. */
export async function completeLoginFromPage(
  ctx: Context,
  { token, form_token: formToken }: { token?: string; form_token?: string },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (token === undefined) throw invalidField('token', 'is required')
  const { config } = ctx
  const show = (made: (lang: PageLanguage) => NoticePage) =>
    sendPage(ctx, request, reply.code(400), (context) => noticePage(made(context.lang), context))
  // Without this check, another site could submit its own link here and sign the visitor in as a different user.
  if (
    !(await isSentFromHere(ctx, request)) ||
    !(await hasOwnToken(ctx, request, { action: loginFormPath, token, formToken }))
  ) {
    return show((lang) => noticeFor('page_expired', lang))
  }
  try {
    const { created, isPasswordRemoved } = await completeLogin(ctx, {
      presented: { token },
      registers: isRegistrationAccepted(ctx, request),
      ...fromBrowser(ctx, request),
    })
    setSignInCookies(ctx, reply, created)
    const more = created.pending ? '&requires_2fa=true' : isPasswordRemoved ? '&password_removed=true' : ''
    const result = `/login?token_login=success${more}`
    const flow = flowIdOf(request)
    return reply.redirect(flow === undefined ? config.FRONTEND_URL + result : inFlow(result, flow), 303)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'REGISTRATION_REFUSED') {
      const message = hookMessage(error.message)
      return show((lang) => ({ ...noticeFor('registration_refused', lang), ...(message && { message }) }))
    }
    if (error.code !== 'INVALID_TOKEN') throw error
    return show((lang) => noticeWithLink('link_not_valid', 'loginByMail', lang))
  }
}
