import { shortestPassword } from '../config/password-rules.ts'
import type { Context } from '../context.ts'
import { anyone } from '../http/access.ts'
import type { Routes } from '../http/create-server.ts'
import type { Refusal } from './call-api.ts'
import { type ForgotPage, forgotPage, forgotPath, forgotSentPage } from './forgot-page.ts'
import { goOn, type SignedIn } from './login-steps.ts'
import { resetPage } from './reset-page.ts'
import * as schemas from './schemas.ts'
import { type Visit, visitOf } from './visit.ts'

const sentPath = `${forgotPath}/sent`
const resetPath = '/reset-password'

/** A new password for those who have lost theirs: first the link, then the password. */
export const resetRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const read = { access: anyone, limit: 'read', hidden: true } as const
    http.get(forgotPath, { schema: schemas.ForgotRoute, config: read }, (request, reply) =>
      ask(visitOf(ctx, http, request, reply), {}),
    )
    http.get(sentPath, { schema: schemas.ForgotSentRoute, config: read }, (request, reply) =>
      visitOf(ctx, http, request, reply).show(forgotSentPage),
    )

    const form = { access: anyone, limit: 'write', hidden: true, form: true } as const
    http.post(forgotPath, { schema: schemas.ForgotFormRoute, config: form }, async (request, reply) => {
      const visit = visitOf(ctx, http, request, reply)
      const { email, page } = request.body
      if (!(await visit.isOwn(forgotPath, page))) return ask(visit, { email, problem: 'PAGE_EXPIRED' }, 400)
      const answer = await visit.api({ method: 'POST', path: '/auth/password-reset/request', body: { email } })
      if (!answer.ok) return ask(visit, { email, problem: answer.refusal }, answer.status)
      return visit.go(sentPath)
    })

    http.get(resetPath, { schema: schemas.ResetPageRoute, config: read }, async (request, reply) => {
      const visit = visitOf(ctx, http, request, reply)
      const { token } = request.query
      if (token) {
        visit.keep('reset', token)
        return visit.go(resetPath)
      }
      const kept = visit.kept('reset')
      if (kept === undefined) return visit.go(forgotPath)
      const body = { token: kept }
      const answer = await visit.api<{ valid: boolean }>({
        method: 'POST',
        path: '/auth/password-reset/validate',
        body,
      })
      return answer.ok && !answer.body.valid ? askAgain(visit) : choose(ctx, visit, kept)
    })

    http.post(resetPath, { schema: schemas.ResetFormRoute, config: form }, async (request, reply) => {
      const visit = visitOf(ctx, http, request, reply)
      const { password, page } = request.body
      const token = visit.kept('reset')
      if (token === undefined) return askAgain(visit)
      if (!(await visit.isOwn(formOf(token), page))) return choose(ctx, visit, token, { code: 'PAGE_EXPIRED' }, 400)
      const path = '/auth/password-reset/complete'
      const answer = await visit.api<Partial<SignedIn>>({ method: 'POST', path, body: { token, password } })
      if (!answer.ok) {
        const { refusal, status } = answer
        return refusal.code === 'INVALID_TOKEN' ? askAgain(visit) : choose(ctx, visit, token, refusal, status)
      }
      visit.forget('reset')
      const { requires_2fa } = answer.body
      return requires_2fa === undefined ? visit.go('/login?reset=success') : goOn(ctx, visit, { requires_2fa })
    })
  }

const ask = (visit: Visit, given: Omit<ForgotPage, 'page'>, status?: number) =>
  visit.show((page) => forgotPage({ page: visit.sign(forgotPath), ...given }, page), status)

/** The link has had its time. */
function askAgain(visit: Visit) {
  visit.forget('reset')
  return ask(visit, { problem: 'INVALID_TOKEN' }, 400)
}

// For this link and no other: one that was opened meanwhile in the same browser may be of somebody else.
const formOf = (token: string): string => `${resetPath} ${token}`

function choose({ config }: Context, visit: Visit, token: string, refusal?: Refusal, status?: number) {
  const data = { page: visit.sign(formOf(token)), minPasswordLength: shortestPassword(config), refusal }
  return visit.show((page) => resetPage(data, page), status)
}
