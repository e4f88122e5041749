import type { Context, UserRow } from '../context.ts'
import { anyone, visitor } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import { isFormPost } from '../http/parsing/form-body.ts'
import { wantsPage } from '../http/replies/wants-page.ts'
import type { DeclareRoutes } from '../http/server/create-server.ts'
import { invalidField } from '../lib/errors.ts'
import { mailedProofIn } from '../one-time-tokens/mailed-code.ts'
import { flowOf } from '../pages/flow/flow-cookies.ts'
import { confirmAndRedirect, sendConfirmPage } from '../pages/messages/confirm/confirm-link.ts'
import { emailField } from '../users/fields.ts'
import { ResendRoute, VerifyAddressLinkRoute, VerifyAddressRoute } from './schemas.ts'
import { type OwnVerification, requestOwnVerification, requestVerification } from './send-verification.ts'
import { verifyAddress, wasAlreadyVerified } from './verify-address.ts'

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

    const link = { access: anyone, limit: 'token_validate', limitForPages: 'read', forEndUsers: true } as const
    http.get(path, { schema: VerifyAddressLinkRoute, config: link }, async (request, reply) => {
      const { token } = request.query
      if (!wantsPage(request)) return verifiedReply(await verifyAddress(ctx, { token }, deviceOf(request)))
      return sendConfirmPage(ctx, request, reply, { purpose: 'verify_email', action: path, token })
    })

    const verify = { access: anyone, limit: 'token_validate', form: true, forEndUsers: true } as const
    http.post(path, { schema: VerifyAddressRoute, config: verify }, async (request, reply) => {
      const { form_token: formToken, ...shown } = request.body
      if (!isFormPost(request)) {
        const proof = mailedProofIn(shown, (text) => emailField('email', text))
        return verifiedReply(await verifyAddress(ctx, proof, deviceOf(request)))
      }
      const { token } = shown
      if (token === undefined) throw invalidField('token', 'is required')
      return confirmAndRedirect(ctx, request, reply, {
        action: path,
        token,
        formToken,
        redeem: async () => {
          await verifyAddress(ctx, { token }, deviceOf(request))
          return 'verification=success'
        },
        refused: async ({ code }) => {
          if (code !== 'INVALID_TOKEN') return undefined
          return (await wasAlreadyVerified(ctx, token))
            ? { key: 'already_verified', status: 200, way: flowOf(ctx, request) ? 'onward' : 'account' }
            : { key: 'link_not_valid', status: 400, way: 'verifyEmail' }
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

const verifiedReply = ({ id, email }: UserRow) => ({
  success: true as const,
  message: 'Email verified',
  status: 'verified' as const,
  user: { id, email, is_verified: true },
})
