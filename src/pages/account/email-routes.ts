import type { Context } from '../../context.ts'
import { anyone } from '../../http/access.ts'
import type { Routes } from '../../http/create-server.ts'
import { visitOf } from '../visit.ts'
import { type EmailChange, type EmailPage, emailPage } from './email-page.ts'
import { asMember, type Member } from './member.ts'
import { CancelEmailFormRoute, EmailFormRoute, EmailRoute, VerifyOwnFormRoute } from './schemas.ts'

const path = '/account/email'
const cancelPath = `${path}/cancel`
const verifyPath = `${path}/verify`

/** The address that somebody signs in with. */
export const emailPageRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const read = { access: anyone, limit: 'read', hidden: true } as const
    http.get(path, { schema: EmailRoute, config: read }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), path, (member) => show(member, { done: request.query.done })),
    )

    const form = { access: anyone, limit: 'write', hidden: true, form: true } as const
    http.post(path, { schema: EmailFormRoute, config: form }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), path, async (member) => {
        const { new_email: newEmail, page } = request.body
        if (!(await member.isOwn(path, page))) return show(member, { refused: { refusal: expired, newEmail } }, 400)
        const body = { new_email: newEmail }
        const answer = await member.api({ method: 'POST', path: '/auth/email-change/request', body })
        if (!answer.ok) return show(member, { refused: { refusal: answer.refusal, newEmail } }, answer.status)
        return member.go(`${path}?done=email_change_started`)
      }),
    )

    http.post(cancelPath, { schema: CancelEmailFormRoute, config: form }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), path, async (member) => {
        if (!(await member.isOwn(cancelPath, request.body.page)))
          return show(member, { refused: { refusal: expired } }, 400)
        const answer = await member.api({ method: 'POST', path: '/auth/email-change/cancel' })
        if (!answer.ok) return show(member, { refused: { refusal: answer.refusal } }, answer.status)
        return member.go(`${path}?done=email_change_cancelled`)
      }),
    )

    http.post(verifyPath, { schema: VerifyOwnFormRoute, config: form }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), path, async (member) => {
        if (!(await member.isOwn(verifyPath, request.body.page)))
          return show(member, { refused: { refusal: expired } }, 400)
        const answer = await member.api({ method: 'POST', path: '/auth/resend-verification' })
        if (!answer.ok) return show(member, { refused: { refusal: answer.refusal } }, answer.status)
        return member.go(`${path}?done=verification_sent`)
      }),
    )
  }

const expired = { code: 'PAGE_EXPIRED' }

async function show(member: Member, more: Pick<EmailPage, 'done' | 'refused'>, status?: number) {
  const { area, profile, api, sign } = member
  const answer = await api<{ email_change: EmailChange }>({ method: 'GET', path: '/auth/email-change' })
  const change: EmailChange = answer.ok ? answer.body.email_change : { status: 'none' }
  const forms = { change: sign(path), cancel: sign(cancelPath), verify: sign(verifyPath) }
  return member.show((page) => emailPage({ area, forms, user: profile.user, change, ...more }, page), status)
}
