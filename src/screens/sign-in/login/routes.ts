import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../../audit/record.ts'
import { LoginRoute } from '../../../auth/schemas.ts'
import type { Context } from '../../../context.ts'
import { deviceOf } from '../../../http/access/device.ts'
import { clearUselessCookie, isAmbiguous } from '../../../http/cookies/session-cookie.ts'
import { shownOrigin } from '../../../http/responses/redirects.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { CurrentRoute, LogoutRoute } from '../../../sessions/route-schemas.ts'
import { beginFlow } from '../../../ui/flow/begin-flow.ts'
import { cancelFlow, endFlow, type FindBrowserSession, otherMethod } from '../../../ui/flow/end-flow.ts'
import { cancelAddress, inFlow, type SignInFlow } from '../../../ui/flow/flow.ts'
import { rulesOfFlow } from '../../../ui/flow/flow-rules.ts'
import { asksForSignIn, screens } from '../../../ui/flow/sign-in-request.ts'
import { confirmLinkPage } from '../../../ui/messages/confirm/view.ts'
import {
  type NoticeKey,
  noticeFor,
  noticeOtherBrowser,
  noticePage,
  noticePasswordRemoved,
  noticeWithLink,
  noticeWithNext,
} from '../../../ui/messages/notice/view.ts'
import { cancelPath } from '../../../ui/paths.ts'
import { call } from '../../../ui/shared/api-route.ts'
import type { ApiResponse } from '../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone, visitorPages } from '../../../ui/shared/declare-pages.ts'
import { loginFormPath, signFormToken } from '../../../ui/shared/form-token.ts'
import { noticeKeyFromQuery } from '../../../ui/shared/notice-from-query.ts'
import * as schemas from '../../../ui/shared/schemas.ts'
import { stateCookies } from '../../../ui/shared/state-cookie.ts'
import type { PageVisit } from '../../../ui/shared/visit.ts'
import { backFromProvider } from '../../account/linked/back-from-provider.ts'
import { destinationOf, nextStepOf, redirectHome } from '../login-steps.ts'
import { continuePasswordSignIn, upgradeOf } from '../passkey-upgrade.ts'
import { acceptsLoginLinks, afterSignIn, signInOptionsOf } from '../sign-in-options.ts'
import { type LoginPage, loginPage, type SignInOptions, type SignInProvider } from './view.ts'

interface Parts {
  providers: SignInProvider[]
  findSession: FindBrowserSession
}

export const loginRoutes =
  ({ providers, findSession }: Parts) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = visitorPages(ctx, http)

    function showLogin(visit: PageVisit, more: LoginView, status?: number) {
      const ways = signInOptionsOf(ctx, providers, visit.rules)
      if (isWithout(ways) && visit.flow)
        return visit.show((page) => noticePage(noticeFor('no_method', page.lang), page), 403)
      const data = {
        formToken: visit.sign('/login'),
        ways,
        next: destinationOf(ctx, visit),
        upgrade: upgradeOf(ctx.config),
        hasSeveralCookies: visit.hasSeveralCookies,
      }
      // Only the page that follows an accepted invitation shows the invited email address.
      const accepted = more.notice === 'password_set' ? visit.stateCookie('accepted') : undefined
      const identifier = more.identifier ?? visit.flow?.loginHint ?? accepted
      return visit.show((page) => loginPage({ ...data, ...more, identifier }, page), status)
    }

    const end = (visit: PageVisit, request: FastifyRequest, reply: FastifyReply, flow: SignInFlow) =>
      endFlow(visit, request, flow, {
        reply,
        findSession,
        goHome: () => redirectHome(ctx, visit),
        showImpersonated: () =>
          visit.show((page) => noticePage(noticeWithLink('impersonated', 'account', page.lang), page), 403),
        now: ctx.clock.now(),
        rules: rulesOfFlow(ctx, flow),
      })

    async function begin(visit: PageVisit, request: FastifyRequest, reply: FastifyReply) {
      const started = await beginFlow(ctx, request, reply)
      if ('refused' in started) return started.refused
      const ended = await end(visit, request, reply, started.flow)
      if (ended && ended !== otherMethod) return ended()
      visit.keepFlow(started.flow)
      return visit.go(inFlow(started.screen ? screens[started.screen] : '/login', started.flow.id))
    }

    pages.get('/login', { schema: schemas.LoginPageRoute, config: readByAnyone }, async (visit, request, reply) => {
      const { query } = request
      if (isAmbiguous(request, ctx.config) && query.cookies !== 'cleared') {
        clearUselessCookie(request, reply, ctx.config)
        return visit.go(`${request.url}${request.url.includes('?') ? '&' : '?'}cookies=cleared`)
      }
      if (asksForSignIn(query)) return begin(visit, request, reply)
      const { token, requires_2fa, ended } = query
      if (token !== undefined)
        return acceptsLoginLinks(ctx.config) ? showLinkForm(ctx, visit, token) : visit.go('/login')
      // The redirect removes the parameter from the URL. The partial session's token is in the cookie.
      if (requires_2fa === 'true') return visit.go(await findNextStep(visit))
      const notice = noticeKeyFromQuery(query)
      const problem = ended && (ended === 'session' ? 'SIGNED_OUT' : 'SESSION_ENDED')
      const isRejected = query.social_login === 'error'
      if (query.password_removed === 'true' && (await isSignedIn(visit))) {
        const next = destinationOf(ctx, visit)
        return visit.show((page) => noticePage(noticePasswordRemoved(next, page.lang, ctx.config), page))
      }
      if (visit.flow) {
        // The current session must not be used if another account was requested or signing in with a provider failed.
        const staysHere = query.another === 'true' || isRejected
        const over = staysHere ? undefined : await end(visit, request, reply, visit.flow)
        if (over === otherMethod) return showLogin(visit, { notice: otherMethod, problem })
        return over ? over() : showLogin(visit, { notice, problem })
      }
      // Without providers, the page of linked accounts does not exist, and a notice says what happened.
      const account = providers.length > 0 ? await backFromProvider(visit, query) : undefined
      if (account) return visit.go(account)
      // A link instead of a redirect, because the next page may have several cookies again.
      if (query.cookies === 'cleared' && (await isSignedIn(visit)))
        return showNoticeWithNext(ctx, visit, 'cookie_removed')
      if (visit.flowId && notice && notice !== 'signed_in' && !isRejected) return showOtherBrowserNotice(visit, notice)
      if (notice && (notice === 'signed_in' || (await isSignedIn(visit)))) return showNoticeWithNext(ctx, visit, notice)
      return showLogin(visit, { notice, problem })
    })

    pages.post('/login', { schema: schemas.LoginFormRoute, config: postedByAnyone }, async (visit, request) => {
      const { identifier, password, can_create_passkey: canCreate, form_token: formToken } = request.body
      const body = { email: identifier, password }
      const response = await visit.submit('/login', formToken, call(LoginRoute, { body }))
      if (response.ok) return continuePasswordSignIn(ctx, visit, { ...response.body, canCreate: canCreate === 'true' })
      const { code } = response.rejection
      // The API returns this code only if the password was correct.
      if (code === 'EMAIL_NOT_VERIFIED' && identifier.includes('@'))
        visit.setStateCookie('registered', identifier.trim())
      return showLogin(visit, { problem: response.rejection, identifier }, response.status)
    })

    pages.post(cancelPath, { schema: schemas.CancelFormRoute, config: postedByAnyone }, async (visit, request) => {
      const isOwn = await visit.isOwn(cancelPath, request.body.form_token)
      const address = cancelAddress(ctx.config, visit.flow)
      if (!isOwn || !visit.flow || address === undefined) return showLogin(visit, { problem: 'PAGE_EXPIRED' }, 400)
      const ended = await endPartialSession(visit)
      if (!ended.ok) return showLogin(visit, { problem: ended.rejection }, ended.status)
      const details = { origin: shownOrigin(address) }
      await recordAudit(ctx, { event: 'sign_in_cancelled', device: deviceOf(request), details })
      return cancelFlow(visit, visit.flow)
    })
  }

/** Whether the page offers no way to sign in. */
const isWithout = ({ password, passkey, byMail, providers }: SignInOptions): boolean =>
  !password && !passkey && !byMail && providers.length === 0

type LoginView = Pick<LoginPage, 'notice' | 'problem' | 'identifier'>

function showLinkForm({ config, clock }: Context, visit: PageVisit, token: string) {
  const formToken = signFormToken(config, loginFormPath, token, clock.now())
  const isElsewhere = visit.flowId !== undefined && visit.flow === undefined
  const form = { purpose: 'login_link', action: loginFormPath, token, formToken, isElsewhere } as const
  return visit.show((context) => confirmLinkPage(form, context))
}

async function findNextStep({ api }: PageVisit): Promise<string> {
  const current = await api(call(CurrentRoute))
  return current.ok ? nextStepOf({}) : nextStepOf(current.rejection)
}

/** Mailed links lead to the sign-in page, even for users who are already signed in. */
async function isSignedIn({ api, bringsSession }: PageVisit): Promise<boolean> {
  if (!bringsSession) return false
  const current = await api(call(CurrentRoute))
  return current.ok && !current.body.requires_2fa
}

/** Ends a partial session, because the cancelled sign-in created it. Does not end a full session. */
async function endPartialSession({
  api,
  bringsSession,
  clearStateCookie: forget,
}: PageVisit): Promise<ApiResponse<unknown>> {
  const nothing = { ok: true, body: undefined } as const
  if (!bringsSession) return nothing
  const current = await api(call(CurrentRoute))
  const isRecovery = !current.ok && current.rejection.passkey_required
  // Any other status 401 means that the session has already ended.
  if (!current.ok && !isRecovery) return current.status === 401 ? nothing : current
  if (current.ok && !current.body.requires_2fa) return nothing
  const ended = await api(call(LogoutRoute))
  if (!ended.ok && ended.status !== 401) return ended
  for (const what of stateCookies) forget(what)
  return nothing
}

const showNoticeWithNext = ({ config }: Context, visit: PageVisit, key: NoticeKey) =>
  visit.show((page) => noticePage(noticeWithNext(key, afterSignIn(config), page.lang), page))

/** Shows a notice that the flow began in another browser and continues there. */
const showOtherBrowserNotice = (visit: PageVisit, key: NoticeKey) =>
  visit.show((page) => noticePage(noticeOtherBrowser(key, page.lang), page))
