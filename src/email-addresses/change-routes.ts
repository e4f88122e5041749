import type { Context } from '../context.ts'
import { anyone, signedIn, signedInOrToken } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import { isFormPost } from '../http/parsing/form-body.ts'
import { wantsPage } from '../http/responses/wants-page.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import type { AppError } from '../lib/errors.ts'
import { sha256Bytes } from '../lib/hash.ts'
import { findPurpose } from '../one-time-tokens/queries.ts'
import { signInDeviceOf } from '../sessions/remembered-browsers.ts'
import { confirmAndRedirect, sendConfirmPage } from '../ui/messages/confirm/confirm-link.ts'
import type { NoticeKey } from '../ui/messages/notice/view.ts'
import { cancelBySession, cancelByToken, declineNewAddress } from './cancel-change.ts'
import { findPendingChange } from './change-queries.ts'
import * as schemas from './change-schemas.ts'
import { changeStatus, pendingChange } from './change-schemas.ts'
import { confirmEmailChange, type EmailChangeProgress } from './confirm-change.ts'
import { requestEmailChange } from './request-change.ts'

const verifyPath = '/auth/email-change/verify'
const cancelPath = '/auth/email-change/cancel'

const link = { access: anyone, limit: 'token_validate', limitForPages: 'read' } as const

export const emailChangeRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.post(
      '/auth/email-change/request',
      { schema: schemas.RequestChangeRoute, config: { access: signedIn, limit: 'token_login' } },
      async (request) => {
        const pending = await requestEmailChange(ctx, request.auth, request.body, signInDeviceOf(ctx, request))
        const message = ctx.mailer.isConfigured
          ? 'Open the links in the emails to your current and your new address.'
          : 'Email is not configured, so no email was sent.'
        return { success: true as const, message, email_change: pendingChange(pending) }
      },
    )

    http.get(
      '/auth/email-change',
      { schema: schemas.ChangeStatusRoute, config: { access: signedIn, limit: 'read', whileImpersonating: 'allowed' } },
      async ({ auth }) => ({
        success: true as const,
        email_change: changeStatus(await findPendingChange(ctx.db, auth.user.id, ctx.clock.date())),
      }),
    )

    http.get(verifyPath, { schema: schemas.ConfirmChangeLinkRoute, config: link }, async (request, reply) => {
      const { token } = request.query
      if (!wantsPage(request)) return confirmedResponse(await confirmEmailChange(ctx, token, deviceOf(request)))
      const purpose = await findPurpose(ctx.db, ['email_change_new'], sha256Bytes(token))
      const isNewInbox = purpose !== undefined
      return sendConfirmPage(ctx, request, reply, { purpose: 'email_change', action: verifyPath, token, isNewInbox })
    })

    http.post(
      verifyPath,
      { schema: schemas.ConfirmChangeRoute, config: { access: anyone, limit: 'token_validate', form: true } },
      async (request, reply) => {
        const { token, form_token: formToken, answer } = request.body
        const device = deviceOf(request)
        const confirm = async () => {
          if (answer === undefined) return confirmEmailChange(ctx, token, device)
          await declineNewAddress(ctx, token, device)
          return declined
        }
        if (!isFormPost(request)) return confirmedResponse(await confirm())
        const redeem = async () => `email_change=${(await confirm()).status}`
        return confirmAndRedirect(ctx, request, reply, {
          action: verifyPath,
          token,
          formToken,
          redeem,
          onRejected,
        })
      },
    )

    http.get(cancelPath, { schema: schemas.CancelChangeLinkRoute, config: link }, async (request, reply) => {
      const { token } = request.query
      if (wantsPage(request))
        return sendConfirmPage(ctx, request, reply, { purpose: 'email_change_cancel', action: cancelPath, token })
      await cancelByToken(ctx, token, deviceOf(request))
      return cancelled
    })

    http.post(
      cancelPath,
      { schema: schemas.CancelChangeRoute, config: { access: signedInOrToken, limit: 'token_validate', form: true } },
      async (request, reply) => {
        const { token, form_token: formToken } = request.body
        const device = deviceOf(request)
        if (token === undefined) {
          await cancelBySession(ctx, request.auth.user.id, device)
          return cancelled
        }
        const redeem = async () => {
          await cancelByToken(ctx, token, device)
          return 'email_change=cancelled'
        }
        if (isFormPost(request))
          return confirmAndRedirect(ctx, request, reply, {
            action: cancelPath,
            token,
            formToken,
            redeem,
            onRejected,
          })
        await redeem()
        return cancelled
      },
    )
  }

type Outcome = EmailChangeProgress | typeof declined

const declined = { status: 'cancelled', confirmed: { current: false, new: false } } as const

const sentences: Record<Outcome['status'], string> = {
  pending: 'Confirmed. The other inbox must confirm as well.',
  completed: 'Email address changed',
  cancelled: 'Email change cancelled',
}

const confirmedResponse = ({ status, confirmed }: Outcome) => ({
  success: true as const,
  message: sentences[status],
  status,
  confirmed,
})

const cancelled = { success: true as const, message: 'Email change cancelled', status: 'cancelled' as const }

const notices: Partial<Record<AppError['code'], NoticeKey>> = {
  INVALID_TOKEN: 'link_not_valid',
  EMAIL_TAKEN: 'email_taken',
}

async function onRejected({ code, status }: AppError) {
  const key = notices[code]
  return key && { key, status, way: 'account' as const }
}
