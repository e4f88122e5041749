import type { Context } from '../context.ts'
import type { Routes } from '../http/create-server.ts'
import { anyonePosts, anyoneReads, visitorPages } from './declare-pages.ts'
import { noticeOnward, noticePage } from './notice-page.ts'
import { afterSignIn } from './offered-ways.ts'
import * as schemas from './schemas.ts'
import { type VerifyEmailPage, verifyEmailPage, verifyEmailPath } from './verify-email-page.ts'
import type { Visit } from './visit.ts'

/** Where people wait for the message that proves their address, and ask for another one. */
export const verifyEmailRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const pages = visitorPages(ctx, http)
    pages.get(verifyEmailPath, { schema: schemas.VerifyEmailRoute, config: anyoneReads }, (visit, { query }) => {
      const { sent, other } = query
      if (other === 'true') visit.forget('registered')
      return show(ctx, visit, { sentAgain: sent === 'true', address: other ? undefined : visit.kept('registered') })
    })

    pages.post(
      verifyEmailPath,
      { schema: schemas.VerifyEmailFormRoute, config: anyonePosts },
      async (visit, request) => {
        const { page } = request.body
        const address = request.body.email?.trim() ?? visit.kept('registered')
        const body = address === undefined ? {} : { email: address }
        const path = '/auth/resend-verification'
        const answer = await visit.submit(verifyEmailPath, page, { method: 'POST', path, body })
        if (!answer.ok) {
          const { refusal, status } = answer
          // An address that is none is asked for again.
          const known = refusal.code === 'VALIDATION_ERROR' ? undefined : address
          return show(ctx, visit, { problem: refusal, address: known }, status)
        }
        if (address) visit.keep('registered', address)
        return visit.go(`${verifyEmailPath}?sent=true`)
      },
    )
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
