import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/create-server.ts'
import { type AccountVisit, accountPages } from '../../../ui/account/account-visit.ts'
import { postedByAnyone, readByAnyone } from '../../../ui/shared/declare-pages.ts'
import { CancelEmailFormRoute, EmailFormRoute, EmailRoute, VerifyOwnFormRoute } from '../schemas.ts'
import { type EmailChangeView, type EmailPage, emailPage } from './view.ts'

const path = '/account/email'
const cancelPath = `${path}/cancel`
const verifyPath = `${path}/verify`

export const emailPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, path)
    pages.get(path, { schema: EmailRoute, config: readByAnyone }, (member, { query }) =>
      show(member, { done: query.done }),
    )

    pages.post(path, { schema: EmailFormRoute, config: postedByAnyone }, async (member, request) => {
      const { new_email: newEmail, form_token: formToken } = request.body
      const call = { method: 'POST', path: '/auth/email-change/request', body: { new_email: newEmail } } as const
      const answer = await member.submit(path, formToken, call)
      if (!answer.ok) return show(member, { refused: { refusal: answer.refusal, newEmail } }, answer.status)
      return member.go(`${path}?done=${ctx.mailer.isConfigured ? 'email_change_started' : 'email_change_unsent'}`)
    })

    pages.post(cancelPath, { schema: CancelEmailFormRoute, config: postedByAnyone }, async (member, request) => {
      const call = { method: 'POST', path: '/auth/email-change/cancel' } as const
      const answer = await member.submit(cancelPath, request.body.form_token, call)
      if (!answer.ok) return show(member, { refused: { refusal: answer.refusal } }, answer.status)
      return member.go(`${path}?done=email_change_cancelled`)
    })

    pages.post(verifyPath, { schema: VerifyOwnFormRoute, config: postedByAnyone }, async (member, request) => {
      const call = { method: 'POST', path: '/auth/resend-verification' } as const
      const answer = await member.submit(verifyPath, request.body.form_token, call)
      if (!answer.ok) return show(member, { refused: { refusal: answer.refusal } }, answer.status)
      if (ctx.mailer.isConfigured) return member.go(`${path}?done=verification_sent`)
      return show(member, { refused: { refusal: { code: 'EMAIL_OFF' } } })
    })
  }

async function show(member: AccountVisit, more: Pick<EmailPage, 'done' | 'refused'>, status?: number) {
  const { area, profile, api, sign } = member
  const answer = await api<{ email_change: EmailChangeView }>({ method: 'GET', path: '/auth/email-change' })
  const change: EmailChangeView = answer.ok ? answer.body.email_change : { status: 'none' }
  const forms = { change: sign(path), cancel: sign(cancelPath), verify: sign(verifyPath) }
  return member.show((page) => emailPage({ area, forms, user: profile.user, change, ...more }, page), status)
}
