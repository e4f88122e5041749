import { RegisterRoute } from '../../../auth/schemas.ts'
import { minPasswordLength } from '../../../config/password-rules.ts'
import { isFieldUsed } from '../../../config/profile-fields.ts'
import type { Context } from '../../../context.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { flowForMessage, viaSignInPage } from '../../../ui/flow/begin-flow.ts'
import { inFlow } from '../../../ui/flow/flow.ts'
import { noticePage, registrationClosed } from '../../../ui/messages/notice/view.ts'
import { call } from '../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone, visitorPages } from '../../../ui/shared/declare-pages.ts'
import * as schemas from '../../../ui/shared/schemas.ts'
import type { PageVisit } from '../../../ui/shared/visit.ts'
import { nextStepOf } from '../../sign-in/login-steps.ts'
import {
  acceptsPasskeyRegistrations,
  acceptsRegistrations,
  registerPath as path,
  registrationPathOf,
} from '../../sign-in/sign-in-options.ts'
import { verifyEmailPath } from '../verify-email/view.ts'
import { askForAddress } from '../with-passkey/steps.ts'
import { type RegisterFields, registerPage } from './view.ts'

export const registerRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = visitorPages(ctx, http)
    pages.get(path, { schema: schemas.RegisterPageRoute, config: readByAnyone }, (visit, { query }) => {
      const signIn = viaSignInPage(query, 'register')
      if (signIn) return visit.redirectTo(signIn)
      const prefersPassword = query.with === 'password' && acceptsRegistrations(ctx.config, visit.rules)
      if (acceptsPasskeyRegistrations(ctx, visit.rules) && !prefersPassword) return askForAddress(ctx, visit, {})
      const instead = registrationPathOf(ctx, visit.rules)
      return instead === undefined || instead === path ? ask(ctx, visit, {}) : visit.go(inFlow(instead, visit.flow?.id))
    })

    pages.post(path, { schema: schemas.RegisterFormRoute, config: postedByAnyone }, async (visit, request) => {
      const { password, form_token: formToken, email, name, last_name = '' } = request.body
      const input = { email, name, last_name }
      const flow = flowForMessage(ctx, visit)
      const body = { ...input, password, lang: visit.lang, flow: flow.id }
      const response = await visit.submit(path, formToken, call(RegisterRoute, { body }))
      if (!response.ok) return ask(ctx, visit, { input, rejection: response.rejection }, response.status)
      visit.keepFlow(flow)
      if (response.body.requires_2fa) return visit.go(inFlow(nextStepOf(response.body), flow.id))
      visit.setStateCookie('registered', response.body.data.user.email)
      return visit.go(inFlow(verifyEmailPath, flow.id))
    })
  }

interface RegisterView {
  input?: RegisterFields
  rejection?: ApiRejection
}

function ask(ctx: Context, visit: PageVisit, requested: RegisterView, status?: number) {
  const { config } = ctx
  if (!acceptsRegistrations(config, visit.rules))
    return visit.show((page) => noticePage(registrationClosed(page.lang), page), 403)
  const input = visit.flow?.loginHint?.includes('@')
    ? { email: visit.flow.loginHint, name: '', last_name: '' }
    : undefined
  const data = {
    formToken: visit.sign(path),
    minPasswordLength: minPasswordLength(config),
    hasLastName: isFieldUsed(config, 'last_name'),
    other: acceptsPasskeyRegistrations(ctx, visit.rules) ? path : undefined,
    input,
    ...requested,
  }
  return visit.show((page) => registerPage(data, page), status)
}
