import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { TokenLoginRoute } from '../../../passwordless/schemas.ts'
import { typedCode } from '../../../ui/fields/code-fields.ts'
import { flowForMessage, viaSignInPage } from '../../../ui/flow/begin-flow.ts'
import { inFlow } from '../../../ui/flow/flow.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone, visitorPages } from '../../../ui/shared/declare-pages.ts'
import type { PageProblem } from '../../../ui/shared/problem-text.ts'
import * as schemas from '../../../ui/shared/schemas.ts'
import type { PageVisit } from '../../../ui/shared/visit.ts'
import { continueSignIn } from '../login-steps.ts'
import { acceptsLoginLinks } from '../sign-in-options.ts'
import { loginByMailPage, loginCodePage } from './view.ts'

const askPath = '/login/mail'
const codePath = '/login/code'

export const loginByMailRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    if (!acceptsLoginLinks(ctx.config)) return
    const pages = visitorPages(ctx, http)
    pages.get(askPath, { schema: schemas.LoginByMailRoute, config: readByAnyone }, (visit, { query }) => {
      const signIn = viaSignInPage(query, 'mail')
      if (!signIn && !visit.rules.accepts('email')) return visit.go('/login')
      return signIn ? visit.redirectTo(signIn) : ask(visit, { email: visit.flow?.loginHint })
    })

    pages.post(askPath, { schema: schemas.LoginByMailFormRoute, config: postedByAnyone }, async (visit, request) => {
      const { email, form_token: formToken } = request.body
      const flow = flowForMessage(ctx, visit)
      const redirect_url = inFlow(`${ctx.config.PUBLIC_URL}/login`, flow.id)
      const body = { identifier: email, type: 'email', redirect_url }
      const response = await visit.submit(askPath, formToken, call(TokenLoginRoute, { body }))
      if (!response.ok) return ask(visit, { email, problem: response.rejection }, response.status)
      if ('token_id' in response.body) visit.setStateCookie('mailed', response.body.token_id)
      visit.keepFlow(flow)
      return visit.go(inFlow(codePath, flow.id))
    })

    pages.get(codePath, { schema: schemas.LoginCodeRoute, config: readByAnyone }, (visit) =>
      visit.stateCookie('mailed') === undefined ? visit.go(askPath) : askForCode(ctx, visit),
    )

    pages.post(codePath, { schema: schemas.LoginCodeFormRoute, config: postedByAnyone }, async (visit, request) => {
      const { code, form_token: formToken } = request.body
      if (!(await visit.isOwn(codePath, formToken))) return askForCode(ctx, visit, 'PAGE_EXPIRED', 400)
      const tokenId = visit.stateCookie('mailed')
      if (tokenId === undefined) return visit.go(askPath)
      const body = { token_id: tokenId, code: typedCode(code) }
      const response = await visit.api(call(TokenLoginRoute, { body }))
      if (!response.ok) return askForCode(ctx, visit, response.rejection, response.status)
      visit.clearStateCookie('mailed')
      const signedIn = response.body
      // The API mails another code instead of signing in only if the body asks for one.
      if (!('requires_2fa' in signedIn)) return visit.go(codePath)
      const { requires_2fa, password_removed } = signedIn
      if (password_removed && !requires_2fa) return visit.go('/login?token_login=success&password_removed=true')
      return continueSignIn(ctx, visit, signedIn)
    })
  }

const ask = (visit: PageVisit, input: { email?: string | undefined; problem?: PageProblem }, status?: number) =>
  visit.show((page) => loginByMailPage({ formToken: visit.sign(askPath), ...input }, page), status)

function askForCode({ config }: Context, visit: PageVisit, problem?: PageProblem, status?: number) {
  const codeLifetime = Math.min(config.CODE_TTL, config.LOGIN_LINK_TTL)
  return visit.show((page) => loginCodePage({ formToken: visit.sign(codePath), codeLifetime, problem }, page), status)
}
