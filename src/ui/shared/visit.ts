import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { deviceOf } from '../../http/access/device.ts'
import { isAmbiguous } from '../../http/cookies/session-cookie.ts'
import type { SignInRules } from '../../http/responses/sign-in-rules.ts'
import type { HttpServer } from '../../http/server/types.ts'
import { inFlow, type SignInFlow } from '../flow/flow.ts'
import { flowIdOf, flowOf, forgetFlow, forgetFlows, keepFlow } from '../flow/flow-cookies.ts'
import { rulesOfFlow } from '../flow/flow-rules.ts'
import { pageLanguageOf } from '../language/language.ts'
import type { ApiCall } from './api-route.ts'
import { type ApiResponse, callApi } from './call-api.ts'
import { isOfOtherUser } from './form-token.ts'
import { createFormToken, type FormSender, isFromOwnForm, sessionOf } from './own-form.ts'
import type { PageContext } from './render.ts'
import { sendPage } from './send-page.ts'
import { clearStateCookie, readStateCookie, type StateCookie, setStateCookie } from './state-cookie.ts'

export type PageApi = <Body>(apiCall: ApiCall<Body>) => Promise<ApiResponse<Body>>

export interface PageVisit {
  lang: PageContext['lang']
  /** The language of a page for this user. */
  langOf(usersOwn: string | null | undefined): PageContext['lang']
  api: PageApi
  /** Whether the request contains a session cookie. The session may be invalid. */
  bringsSession: boolean
  /** Whether the request contains several session cookies, and the service could not clear all but one. */
  hasSeveralCookies: boolean
  /** Returns the CSRF token for a form that posts to this path. `userId` is the person to whom the page is shown. */
  sign(action: string, userId?: string): string
  /** Whether the form was shown to another person. */
  isOfOtherUser(formToken: string | undefined, userId: string): boolean
  /** Records in the audit trail that the user was denied access to the page. */
  recordDenial(user: FormSender, impersonatedBy?: string): Promise<void>
  /** Whether a page of this service created the form. Always await this call, because it also records forged forms. */
  isOwn(action: string, formToken: string | undefined, sender?: FormSender): Promise<boolean>
  /** Calls the API if the form is valid; otherwise, rejects the form with PAGE_EXPIRED. */
  submit<Body>(action: string, formToken: string | undefined, apiCall: ApiCall<Body>): Promise<ApiResponse<Body>>
  stateCookie(what: StateCookie): string | undefined
  setStateCookie(what: StateCookie, value: string): void
  clearStateCookie(what: StateCookie): void
  /** The flow id. The flow may have been started in another browser. */
  flowId: string | undefined
  /** Undefined if the flow began in another browser. */
  flow: SignInFlow | undefined
  /** The rules of the application to which the flow leads. */
  rules: SignInRules
  keepFlow(flow: SignInFlow): void
  forgetFlow(id: string): void
  forgetOtherFlows(id: string | undefined): void
  /** `lang` is the user's language, which applies unless the user has chosen another language since sign-in. */
  show(render: (page: PageContext) => string, status?: number, lang?: string | null, returnTo?: string): FastifyReply
  /** Redirects (303) to another page in the same flow. */
  go(address: string): FastifyReply
  /** Redirects (303) to a path of this service, a URL from the settings, or an allowed return address. */
  redirectTo(address: string): FastifyReply
}

export function visitOf(ctx: Context, http: HttpServer, request: FastifyRequest, reply: FastifyReply): PageVisit {
  const api: PageApi = (apiCall) => callApi(http, request, reply, apiCall)
  const flowId = flowIdOf(request)
  const flow = flowOf(ctx, request)
  const isOwn: PageVisit['isOwn'] = (action, formToken, sender) =>
    isFromOwnForm(ctx, request, { action, formToken, sender })
  return {
    lang: pageLanguageOf(ctx, request),
    langOf: (usersOwn) => pageLanguageOf(ctx, request, usersOwn),
    api,
    sign: (action, userId) => createFormToken(ctx, request, action, userId),
    isOfOtherUser: (formToken, userId) => isOfOtherUser(ctx.config, formToken, userId),
    isOwn,
    recordDenial: (actor, impersonatedBy) =>
      recordAudit(ctx, {
        event: 'authz_denied',
        outcome: 'failure',
        device: { ...deviceOf(request), impersonatedBy },
        actor,
        details: { route: `${request.method} ${request.routeOptions.url}` },
      }),
    submit: submitWith(isOwn, api),
    stateCookie: (what) => readStateCookie(ctx, request, what),
    setStateCookie: (what, value) => setStateCookie(ctx, reply, what, value),
    clearStateCookie: (what) => clearStateCookie(ctx, reply, what),
    bringsSession: sessionOf(ctx, request) !== '',
    hasSeveralCookies: isAmbiguous(request, ctx.config),
    show: (render, status = 200, usersLanguage = null, returnTo = undefined) =>
      sendPage(ctx, request, reply.code(status), render, { usersLanguage, returnTo }),
    flowId,
    flow,
    rules: rulesOfFlow(ctx, flow),
    keepFlow: (flow) => keepFlow(ctx, request, reply, flow),
    forgetFlow: (id) => forgetFlow(ctx, request, reply, id),
    forgetOtherFlows: (id) => forgetFlows(ctx, request, reply, id),
    go: (address) => reply.redirect(/[?&]flow=/.test(address) ? address : inFlow(address, flowId), 303),
    redirectTo: (address) => reply.redirect(address, 303),
  }
}

export const submitWith =
  (isOwn: PageVisit['isOwn'], api: PageApi): PageVisit['submit'] =>
  async (action, formToken, apiCall) =>
    (await isOwn(action, formToken)) ? api(apiCall) : { ok: false, status: 400, rejection: { code: 'PAGE_EXPIRED' } }
