import { shortestPassword } from '../config/password-rules.ts'
import type { Context } from '../context.ts'
import type { Routes } from '../http/create-server.ts'
import type { Refusal } from './call-api.ts'
import { anyonePosts, anyoneReads, visitorPages } from './declare-pages.ts'
import { type ForgotPage, forgotPage, forgotPath, forgotSentPage } from './forgot-page.ts'
import { goOn, type SignedIn } from './login-steps.ts'
import { resetPage } from './reset-page.ts'
import * as schemas from './schemas.ts'
import type { Visit } from './visit.ts'

const sentPath = `${forgotPath}/sent`
const resetPath = '/reset-password'

/** A new password for those who have lost theirs: first the link, then the password. */
export const resetRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const pages = visitorPages(ctx, http)
    pages.get(forgotPath, { schema: schemas.ForgotRoute, config: anyoneReads }, (visit) => ask(visit, {}))
    pages.get(sentPath, { schema: schemas.ForgotSentRoute, config: anyoneReads }, (visit) => visit.show(forgotSentPage))

    pages.post(forgotPath, { schema: schemas.ForgotFormRoute, config: anyonePosts }, async (visit, request) => {
      const { email, page } = request.body
      const path = '/auth/password-reset/request'
      const answer = await visit.submit(forgotPath, page, { method: 'POST', path, body: { email } })
      if (!answer.ok) return ask(visit, { email, problem: answer.refusal }, answer.status)
      return visit.go(sentPath)
    })

    pages.get(resetPath, { schema: schemas.ResetPageRoute, config: anyoneReads }, async (visit, request) => {
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

    pages.post(resetPath, { schema: schemas.ResetFormRoute, config: anyonePosts }, async (visit, request) => {
      const { password, page } = request.body
      const token = visit.kept('reset')
      if (token === undefined) return askAgain(visit)
      const path = '/auth/password-reset/complete'
      const body = { token, password }
      const answer = await visit.submit<Partial<SignedIn>>(formOf(token), page, { method: 'POST', path, body })
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
