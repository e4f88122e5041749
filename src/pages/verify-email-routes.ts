import type { Context } from '../context.ts'
import { anyone } from '../http/access.ts'
import type { Routes } from '../http/create-server.ts'
import { noticeOnward, noticePage } from './notice-page.ts'
import { afterSignIn } from './offered-ways.ts'
import * as schemas from './schemas.ts'
import { type VerifyEmailPage, verifyEmailPage, verifyEmailPath } from './verify-email-page.ts'
import { type Visit, visitOf } from './visit.ts'

/** Where people wait for the message that proves their address, and ask for another one. */
export const verifyEmailRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const read = { access: anyone, limit: 'read', hidden: true } as const
    http.get(verifyEmailPath, { schema: schemas.VerifyEmailRoute, config: read }, (request, reply) => {
      const visit = visitOf(ctx, http, request, reply)
      const { sent, other } = request.query
      if (other === 'true') visit.forget('registered')
      return show(ctx, visit, { sentAgain: sent === 'true', address: other ? undefined : visit.kept('registered') })
    })

    const form = { access: anyone, limit: 'write', hidden: true, form: true } as const
    http.post(verifyEmailPath, { schema: schemas.VerifyEmailFormRoute, config: form }, async (request, reply) => {
      const visit = visitOf(ctx, http, request, reply)
      const { page } = request.body
      const address = request.body.email?.trim() ?? visit.kept('registered')
      if (!(await visit.isOwn(verifyEmailPath, page)))
        return show(ctx, visit, { address, problem: 'PAGE_EXPIRED' }, 400)
      const body = address === undefined ? {} : { email: address }
      const answer = await visit.api({ method: 'POST', path: '/auth/resend-verification', body })
      if (!answer.ok) {
        const { refusal, status } = answer
        // An address that is none is asked for again.
        const known = refusal.code === 'VALIDATION_ERROR' ? undefined : address
        return show(ctx, visit, { problem: refusal, address: known }, status)
      }
      if (address) visit.keep('registered', address)
      return visit.go(`${verifyEmailPath}?sent=true`)
    })
  }

interface Me {
  requires_2fa?: boolean
  user: { email: string; is_verified: boolean }
}

type Shown = Pick<VerifyEmailPage, 'address' | 'sentAgain' | 'problem'>

/** Whoever is signed in waits for the message to their own address. */
async function show({ config }: Context, visit: Visit, shown: Shown, status?: number) {
  const me = await visit.api<Me>({ method: 'GET', path: '/auth/me' })
  const user = me.ok && !me.body.requires_2fa ? me.body.user : undefined
  const next = user && afterSignIn(config)
  if (next && user.is_verified)
    return visit.show((page) => noticePage(noticeOnward('already_verified', next, page.lang), page))
  const data = { page: visit.sign(verifyEmailPath), next, ...shown, ...(user && { address: user.email }) }
  return visit.show((page) => verifyEmailPage(data, page), status)
}
