import { pagesOfferPasskeys } from '../../../config/passkeys.ts'
import type { Context } from '../../../context.ts'
import { CancelChangeRoute, ChangeStatusRoute, RequestChangeRoute } from '../../../email-addresses/change-schemas.ts'
import { ResendRoute } from '../../../email-addresses/schemas.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { type AccountVisit, accountPages, confirmPath } from '../../../ui/account/account-visit.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { passkeyProof } from '../confirm/passkey-proof.ts'
import { CancelEmailFormRoute, EmailFormRoute, EmailRoute, VerifyOwnFormRoute } from '../schemas.ts'
import { type EmailPage, emailPage } from './view.ts'

const path = '/account/email'
const cancelPath = `${path}/cancel`
const verifyPath = `${path}/verify`

export const emailPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, path)
    pages.get(path, { schema: EmailRoute, config: readByAnyone }, (member, { query }) =>
      show(ctx, member, { done: query.done }),
    )

    pages.post(path, { schema: EmailFormRoute, config: postedByAnyone }, async (member, request) => {
      const { new_email: newEmail, form_token: formToken } = request.body
      const change = call(RequestChangeRoute, { body: { new_email: newEmail } })
      const response = await member.submitKept(path, formToken, change)
      if (!response.ok && response.rejection.code === 'REAUTH_REQUIRED') return member.go(confirmAddress(member))
      if (!response.ok)
        return show(ctx, member, { refused: { rejection: response.rejection, newEmail } }, response.status)
      return member.go(`${path}?done=${ctx.mailer.isConfigured ? 'email_change_started' : 'email_change_unsent'}`)
    })

    pages.post(cancelPath, { schema: CancelEmailFormRoute, config: postedByAnyone }, async (member, request) => {
      const response = await member.submit(cancelPath, request.body.form_token, call(CancelChangeRoute))
      if (!response.ok) return show(ctx, member, { refused: { rejection: response.rejection } }, response.status)
      return member.go(`${path}?done=email_change_cancelled`)
    })

    pages.post(verifyPath, { schema: VerifyOwnFormRoute, config: postedByAnyone }, async (member, request) => {
      const response = await member.submit(verifyPath, request.body.form_token, call(ResendRoute))
      if (!response.ok) return show(ctx, member, { refused: { rejection: response.rejection } }, response.status)
      if (ctx.mailer.isConfigured) return member.go(`${path}?done=verification_sent`)
      return show(ctx, member, { refused: { rejection: { code: 'EMAIL_OFF' } } })
    })
  }

/** Users without a password may have to confirm the change with a passkey, not with another factor. */
const confirmAddress = ({ profile }: AccountVisit): string =>
  `${confirmPath}?${new URLSearchParams({ next: path, ...(!profile.has_password && { way: passkeyProof.id }) })}`

async function show(ctx: Context, member: AccountVisit, more: Pick<EmailPage, 'done' | 'refused'>, status?: number) {
  const { area, profile, api, sign } = member
  const response = await api(call(ChangeStatusRoute))
  const change = response.ok ? response.body.email_change : undefined
  const forms = { change: sign(path), cancel: sign(cancelPath), verify: sign(verifyPath) }
  const hasPasskeys = pagesOfferPasskeys(ctx.config)
  return member.show(
    (page) => emailPage({ area, forms, hasPasskeys, user: profile.user, change, ...more }, page),
    status,
  )
}
