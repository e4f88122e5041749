import { minPasswordLength } from '../../config/password-rules.ts'
import type { Context } from '../../context.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import type { Invited } from '../../passwords/complete-reset.ts'
import { CompleteResetRoute, RequestResetRoute, ValidateResetRoute } from '../../passwords/schemas.ts'
import { typedCode } from '../../ui/fields/code-fields.ts'
import { flowForMessage, viaSignInPage } from '../../ui/flow/begin-flow.ts'
import { inFlow } from '../../ui/flow/flow.ts'
import { noticePage, noticeWithLink } from '../../ui/messages/notice/view.ts'
import { call } from '../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone, visitorPages } from '../../ui/shared/declare-pages.ts'
import type { PageProblem } from '../../ui/shared/problem-text.ts'
import * as schemas from '../../ui/shared/schemas.ts'
import type { PageVisit } from '../../ui/shared/visit.ts'
import { continueSignIn } from '../sign-in/login-steps.ts'
import { type ForgotPage, forgotPage, forgotPath, forgotSentPage } from './forgot/view.ts'
import { resetPage } from './reset/view.ts'

const sentPath = `${forgotPath}/sent`
const resetPath = '/reset-password'

/** Returns undefined if the token in the link is not from an invitation. */
export type FindInvited = (token: string) => Promise<Invited | undefined>

export const resetRoutes =
  (findInvited: FindInvited) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = visitorPages(ctx, http)

    async function choose(visit: PageVisit, { proof, form }: StoredProof, rejection?: ApiRejection, status?: number) {
      const invited = await invitedBy(proof)
      const data = {
        formToken: visit.sign(form),
        hasPassword: ctx.config.PASSWORDS_ENABLED,
        minPasswordLength: minPasswordLength(ctx.config),
        rejection,
        invited,
      }
      return visit.show((page) => resetPage(data, page), status)
    }

    const invitedBy = async (proof: StoredProof['proof']) => ('token' in proof ? findInvited(proof.token) : undefined)

    pages.get(forgotPath, { schema: schemas.ForgotRoute, config: readByAnyone }, (visit, { query }) => {
      const signIn = viaSignInPage(query, 'forgot')
      if (!ctx.config.PASSWORDS_ENABLED) return switchedOff(visit)
      return signIn ? visit.redirectTo(signIn) : ask(visit, { email: visit.flow?.loginHint })
    })
    pages.get(sentPath, { schema: schemas.ForgotSentRoute, config: readByAnyone }, (visit) => sent(ctx, visit))

    pages.post(forgotPath, { schema: schemas.ForgotFormRoute, config: postedByAnyone }, async (visit, request) => {
      const { email, form_token: formToken } = request.body
      if (!ctx.config.PASSWORDS_ENABLED) return switchedOff(visit)
      const flow = flowForMessage(ctx, visit)
      const body = { email, reset_url: inFlow(ctx.config.PUBLIC_URL + resetPath, flow.id) }
      const response = await visit.submit(forgotPath, formToken, call(RequestResetRoute, { body }))
      if (!response.ok) return ask(visit, { email, problem: response.rejection }, response.status)
      visit.setStateCookie('forgot', email.trim())
      visit.keepFlow(flow)
      return visit.go(inFlow(sentPath, flow.id))
    })

    pages.post(sentPath, { schema: schemas.ResetCodeFormRoute, config: postedByAnyone }, async (visit, request) => {
      const { code, form_token: formToken } = request.body
      const email = visit.stateCookie('forgot')
      if (email === undefined) return visit.go(forgotPath)
      const body = { email, code: typedCode(code) }
      const response = await visit.submit(sentPath, formToken, call(ValidateResetRoute, { body }))
      if (!response.ok) return sent(ctx, visit, response.rejection, response.status)
      if (!response.body.valid) return sent(ctx, visit, 'INVALID_CODE', 400)
      visit.setStateCookie('reset_code', `${body.code} ${email}`)
      visit.clearStateCookie('reset')
      visit.clearStateCookie('forgot')
      return visit.go(resetPath)
    })

    pages.get(resetPath, { schema: schemas.ResetPageRoute, config: readByAnyone }, async (visit, request) => {
      const { token } = request.query
      if (token) {
        visit.setStateCookie('reset', token)
        visit.clearStateCookie('reset_code')
        return visit.go(resetPath)
      }
      const kept = storedProof(visit)
      if (kept === undefined) return visit.go(forgotPath)
      const body = kept.proof
      const response = await visit.api(call(ValidateResetRoute, { body }))
      return response.ok && !response.body.valid ? askAgain(visit) : choose(visit, kept)
    })

    pages.post(resetPath, { schema: schemas.ResetFormRoute, config: postedByAnyone }, async (visit, request) => {
      const { password, form_token: formToken } = request.body
      const kept = storedProof(visit)
      // A form on another site is submitted without this site's cookies and must not delete them.
      if (kept === undefined) return ask(visit, { problem: 'INVALID_TOKEN' }, 400)
      const body = { ...kept.proof, ...(ctx.config.PASSWORDS_ENABLED && { password }) }
      const invited = await invitedBy(kept.proof)
      const response = await visit.submit(kept.form, formToken, call(CompleteResetRoute, { body }))
      if (!response.ok) {
        const { rejection, status } = response
        const isSpent = rejection.code === 'INVALID_TOKEN' || rejection.code === 'INVALID_CODE'
        return isSpent ? askAgain(visit) : choose(visit, kept, rejection, status)
      }
      forgetProof(visit)
      const { requires_2fa, passkey_required } = response.body
      const isElsewhere = visit.flowId !== undefined && !visit.flow
      if (requires_2fa !== undefined && !(isElsewhere && !requires_2fa))
        return continueSignIn(ctx, visit, { requires_2fa, ...(passkey_required && { passkey_required }) })
      if (invited) visit.setStateCookie('accepted', invited.email)
      return visit.go('/login?reset=success')
    })
  }

const switchedOff = (visit: PageVisit) =>
  visit.show((page) => noticePage(noticeWithLink('passwords_disabled', 'signIn', page.lang), page), 403)

const ask = (visit: PageVisit, input: Omit<ForgotPage, 'formToken'>, status?: number) =>
  visit.show((page) => forgotPage({ formToken: visit.sign(forgotPath), ...input }, page), status)

function sent({ config }: Context, visit: PageVisit, problem?: PageProblem, status?: number) {
  const address = visit.stateCookie('forgot')
  const formToken = address === undefined ? undefined : visit.sign(sentPath)
  const codeLifetime = Math.min(config.CODE_TTL, config.RESET_TTL)
  return visit.show((context) => forgotSentPage({ formToken, address, codeLifetime, problem }, context), status)
}

interface StoredProof {
  proof: { token: string } | { email: string; code: string }
  /** The action for which the form's CSRF token is signed. */
  form: string
}

/** The token and the code have separate cookies so that a token from a URL is never used as a code. */
function storedProof(visit: PageVisit): StoredProof | undefined {
  const token = visit.stateCookie('reset')
  if (token !== undefined) return { proof: { token }, form: `${resetPath} ${token}` }
  const kept = visit.stateCookie('reset_code')
  if (kept === undefined) return undefined
  const [code = '', email = ''] = kept.split(' ')
  return { proof: { email, code }, form: `${resetPath} ${kept}` }
}

function forgetProof(visit: PageVisit): void {
  visit.clearStateCookie('reset')
  visit.clearStateCookie('reset_code')
}

function askAgain(visit: PageVisit) {
  forgetProof(visit)
  return ask(visit, { problem: 'INVALID_TOKEN' }, 400)
}
