import type { Context } from '../../../context.ts'
import { ResendRoute, VerifyAddressRoute } from '../../../email-addresses/schemas.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { MeRoute } from '../../../sessions/route-schemas.ts'
import { typedCode } from '../../../ui/fields/code-fields.ts'
import { flowForMessage } from '../../../ui/flow/begin-flow.ts'
import { inFlow } from '../../../ui/flow/flow.ts'
import { type NoticePage, noticePage, noticeWithLink, noticeWithNext } from '../../../ui/messages/notice/view.ts'
import { call, type ResponseOf } from '../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone, visitorPages } from '../../../ui/shared/declare-pages.ts'
import * as schemas from '../../../ui/shared/schemas.ts'
import type { PageVisit } from '../../../ui/shared/visit.ts'
import type { PageLanguage } from '../../../ui/texts/index.ts'
import { destinationOf } from '../../sign-in/login-steps.ts'
import { type VerifyEmailPage, verifyCodePath, verifyEmailPage, verifyEmailPath } from './view.ts'

export const verifyEmailRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = visitorPages(ctx, http)
    pages.get(verifyEmailPath, { schema: schemas.VerifyEmailRoute, config: readByAnyone }, (visit, { query }) => {
      const { sent, other } = query
      if (other === 'true') visit.clearStateCookie('registered')
      return show(ctx, visit, {
        sentAgain: sent === 'true',
        address: other ? undefined : visit.stateCookie('registered'),
      })
    })

    pages.post(
      verifyEmailPath,
      { schema: schemas.VerifyEmailFormRoute, config: postedByAnyone },
      async (visit, request) => {
        const { form_token: formToken } = request.body
        const address = request.body.email?.trim() ?? visit.stateCookie('registered')
        const flow = flowForMessage(ctx, visit)
        const body = { flow: flow.id, ...(address !== undefined && { email: address }) }
        const response = await visit.submit(verifyEmailPath, formToken, call(ResendRoute, { body }))
        if (!response.ok) {
          const { rejection, status } = response
          // If the email address was invalid, the page asks for it again.
          const known = rejection.code === 'VALIDATION_ERROR' ? undefined : address
          return show(ctx, visit, { problem: rejection, address: known }, status)
        }
        if (address) visit.setStateCookie('registered', address)
        visit.keepFlow(flow)
        return visit.go(inFlow(`${verifyEmailPath}?sent=true`, flow.id))
      },
    )

    pages.post(
      verifyCodePath,
      { schema: schemas.VerifyEmailCodeFormRoute, config: postedByAnyone },
      async (visit, request) => {
        const { code, form_token: formToken } = request.body
        const address = (await signedIn(visit))?.email ?? visit.stateCookie('registered')
        if (address === undefined) return visit.go(verifyEmailPath)
        const body = { email: address, code: typedCode(code) }
        const response = await visit.submit(verifyCodePath, formToken, call(VerifyAddressRoute, { body }))
        if (!response.ok) return show(ctx, visit, { codeProblem: response.rejection, address }, response.status)
        visit.clearStateCookie('registered')
        return visit.go('/login?verification=success')
      },
    )
  }

type VerifyEmailView = Pick<VerifyEmailPage, 'address' | 'sentAgain' | 'problem' | 'codeProblem'>

async function show(ctx: Context, visit: PageVisit, shown: VerifyEmailView, status?: number) {
  const { config } = ctx
  const user = await signedIn(visit)
  const next = user && destinationOf(ctx, visit)
  if (next && user.is_verified) return visit.show((page) => noticePage(verifiedNotice(visit, next, page.lang), page))
  const forms = { again: visit.sign(verifyEmailPath), code: visit.sign(verifyCodePath) }
  const codeLifetime = Math.min(config.CODE_TTL, config.VERIFY_EMAIL_TTL)
  const data = { forms, next, codeLifetime, ...shown, ...(user && { address: user.email }) }
  return visit.show((page) => verifyEmailPage(data, page), status)
}

/** If this tab's flow has ended, the tab that opened the link has continued it. */
const verifiedNotice = (visit: PageVisit, next: string, lang: PageLanguage): NoticePage =>
  visit.flowId && !visit.flow
    ? noticeWithLink('verified_elsewhere', 'account', lang)
    : noticeWithNext('already_verified', next, lang)

async function signedIn(visit: PageVisit): Promise<ResponseOf<typeof MeRoute>['user'] | undefined> {
  const me = await visit.api(call(MeRoute))
  return me.ok && !me.body.requires_2fa ? me.body.user : undefined
}
