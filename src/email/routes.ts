import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context, UserRow } from '../context.ts'
import { anyone, visitor } from '../http/access.ts'
import type { Routes } from '../http/create-server.ts'
import { deviceOf } from '../http/device.ts'
import { wantsPage } from '../http/wants-page.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { confirmPage } from '../pages/confirm-page.ts'
import { type NoticeKey, notice, noticePage } from '../pages/notice-page.ts'
import { isOurPage, signPage } from '../pages/page-value.ts'
import { sendPage } from '../pages/send-page.ts'
import { emailField } from '../users/fields.ts'
import { ResendRoute, VerifyLinkRoute, VerifyRoute } from './schemas.ts'
import { requestVerification } from './send-verification.ts'
import { verifyAddress, wasAlreadyVerified } from './verify-address.ts'

const path = '/auth/token/verify'

export const emailRoutes =
  (ctx: Context): Routes =>
  (http) => {
    http.post(
      '/auth/resend-verification',
      { schema: ResendRoute, config: { access: visitor, limit: 'token_login' } },
      async (request) => {
        const given = request.body.email
        const email = given === undefined ? request.auth?.user.email : emailField('email', given)
        if (email === undefined) throw invalidField('email', 'is required without a session')
        await requestVerification(ctx, email, deviceOf(request))
        return { success: true as const, message: 'If the address needs to be verified, a mail is on its way.' }
      },
    )

    const link = { access: anyone, limit: 'token_validate', limitForPages: 'read' } as const
    http.get(path, { schema: VerifyLinkRoute, config: link }, async (request, reply) => {
      const { token } = request.query
      if (!wantsPage(request)) return verifiedReply(await verifyAddress(ctx, token, deviceOf(request)))
      const page = signPage(ctx.config, path, token, ctx.clock.now())
      return sendPage(ctx, request, reply, (context) =>
        confirmPage({ purpose: 'verify_email', action: path, token, page }, context),
      )
    })

    http.post(
      path,
      { schema: VerifyRoute, config: { access: anyone, limit: 'token_validate', form: true } },
      async (request, reply) => {
        const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
        if (!isForm) return verifiedReply(await verifyAddress(ctx, request.body.token, deviceOf(request)))
        return verifyFromPage(ctx, request.body, request, reply)
      },
    )
  }

/** A person pressed the button: whatever happens, they see a page. */
async function verifyFromPage(
  ctx: Context,
  { token, page }: { token: string; page?: string },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const show = (key: NoticeKey, status: number) => {
    reply.code(status)
    return sendPage(ctx, request, reply, (context) => noticePage(notice(key, context.lang), context))
  }
  if (!isOurPage(ctx.config, path, token, page, ctx.clock.now())) return show('page_expired', 400)
  try {
    await verifyAddress(ctx, token, deviceOf(request))
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'INVALID_TOKEN')) throw error
    return (await wasAlreadyVerified(ctx, token)) ? show('already_verified', 200) : show('link_not_valid', 400)
  }
  return reply.redirect(`${ctx.config.FRONTEND_URL}/login?verification=success`, 303)
}

const verifiedReply = ({ id, email }: UserRow) => ({
  success: true as const,
  message: 'Email verified',
  status: 'verified' as const,
  user: { id, email, is_verified: true },
})
