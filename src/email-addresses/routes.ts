import type { Context, UserRow } from '../context.ts'
import { anyone, visitor } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import { isFormPost } from '../http/parsing/form-body.ts'
import { wantsPage } from '../http/responses/wants-page.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { invalidField } from '../lib/errors.ts'
import { mailedProofIn } from '../one-time-tokens/mailed-code.ts'
import { flowOf } from '../ui/flow/flow-cookies.ts'
import {
  type Button,
  confirmAndRedirect,
  sendConfirmPage,
  submitConfirmation,
} from '../ui/messages/confirm/confirm-link.ts'
import { noticePage, noticeWithLink } from '../ui/messages/notice/view.ts'
import { sendPage } from '../ui/shared/send-page.ts'
import { emailField } from '../users/fields.ts'
import { ResendRoute, VerifyAddressLinkRoute, VerifyAddressRoute } from './schemas.ts'
import { type OwnVerification, requestOwnVerification, requestVerification } from './send-verification.ts'
import { findForeignRegistration, verifyAddress, wasAlreadyVerified } from './verify-address.ts'

const path = '/auth/token/verify'

export const emailRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.post(
      '/auth/resend-verification',
      { schema: ResendRoute, config: { access: visitor, limit: 'token_login', forEndUsers: true } },
      async (request) => {
        const { email: input, flow } = request.body
        const about = { device: deviceOf(request), flow }
        if (input === undefined) {
          if (!request.auth) throw invalidField('email', 'is required without a session')
          const outcome = await requestOwnVerification(ctx, request.auth.user, about)
          return { success: true as const, message: ownSentences[outcome] }
        }
        await requestVerification(ctx, { email: emailField('email', input), ...about })
        return { success: true as const, message: 'If the email address is not verified yet, an email is on its way.' }
      },
    )

    const link = { access: visitor, limit: 'token_validate', limitForPages: 'read', forEndUsers: true } as const
    http.get(path, { schema: VerifyAddressLinkRoute, config: link }, async (request, reply) => {
      const { token } = request.query
      if (!wantsPage(request))
        return verifiedResponse(await verifyAddress(ctx, { proof: { token }, device: deviceOf(request) }))
      const registration = await findForeignRegistration(ctx, token, request.auth?.user.id)
      return sendConfirmPage(ctx, request, reply, { purpose: 'verify_email', action: path, token, registration })
    })

    const verify = { access: anyone, limit: 'token_validate', form: true, forEndUsers: true } as const
    http.post(path, { schema: VerifyAddressRoute, config: verify }, async (request, reply) => {
      const { form_token: formToken, answer, ...shown } = request.body
      const device = deviceOf(request)
      if (!isFormPost(request)) {
        const proof = mailedProofIn(shown, (text) => emailField('email', text))
        return verifiedResponse(await verifyAddress(ctx, { proof, device, answer }))
      }
      const { token } = shown
      if (token === undefined) throw invalidField('token', 'is required')
      const verifyByForm = () => verifyAddress(ctx, { proof: { token }, device, answer })
      const button: Button = {
        action: path,
        token,
        formToken,
        onRejected: async ({ code }) => {
          if (code !== 'INVALID_TOKEN') return undefined
          const isVerified = await wasAlreadyVerified(ctx, token)
          if (isVerified && answer === 'not_me')
            return ctx.config.PASSWORDS_ENABLED
              ? { key: 'nothing_removed', status: 409, way: 'resetPassword' }
              : { key: 'nothing_removed_without_passwords', status: 409, way: 'signIn' }
          return isVerified
            ? { key: 'already_verified', status: 200, way: flowOf(ctx, request) ? 'onward' : 'account' }
            : { key: 'link_not_valid', status: 400, way: 'verifyEmail' }
        },
      }
      if (answer === 'not_me') {
        const then = async () => {
          await verifyByForm()
          const key = ctx.config.PASSWORDS_ENABLED ? 'access_removed' : 'access_removed_without_passwords'
          return sendPage(ctx, request, reply, (page) => noticePage(noticeWithLink(key, 'signIn', page.lang), page))
        }
        return submitConfirmation(ctx, request, reply, { ...button, respond: then })
      }
      return confirmAndRedirect(ctx, request, reply, {
        ...button,
        redeem: async () => {
          await verifyByForm()
          return 'verification=success'
        },
      })
    })
  }

const ownSentences: Record<OwnVerification, string> = {
  sent: 'An email is on its way.',
  verified: 'Your email address is already verified, so no email was sent.',
  limit: 'Too many emails were sent to your address, so no email was sent. Try again later.',
  not_configured: 'Email is not configured, so no email was sent.',
}

const verifiedResponse = ({ id, email }: UserRow) => ({
  success: true as const,
  message: 'Email verified',
  status: 'verified' as const,
  user: { id, email, is_verified: true },
})
