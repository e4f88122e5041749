import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { Http } from '../../http/server/create-server.ts'
import { type Flow, inFlow } from '../flow/flow.ts'
import { flowIdOf, flowOf, forgetFlow, forgetFlows, keepFlow } from '../flow/flow-cookies.ts'
import { languageOf } from '../language/language.ts'
import { type ApiCall, type ApiReply, callApi } from './call-api.ts'
import { forget, type Kept, keep, kept } from './kept-value.ts'
import { formValue, isFromOwnForm, type Sender, sessionOf } from './own-form.ts'
import type { PageContext } from './render.ts'
import { sendPage } from './send-page.ts'

export type Api = <Body>(call: ApiCall) => Promise<ApiReply<Body>>

export interface Visit {
  lang: PageContext['lang']
  api: Api
  /** The session may be invalid. */
  bringsSession: boolean
  /** The CSRF token for a form that posts to this path. */
  sign(action: string): string
  /** Whether the form is from a page of this service. Must be awaited; a forged one is recorded. */
  isOwn(action: string, formToken: string | undefined, sender?: Sender): Promise<boolean>
  /** Calls the API if the form is valid, and otherwise refuses it with PAGE_EXPIRED. */
  submit<Body>(action: string, formToken: string | undefined, call: ApiCall): Promise<ApiReply<Body>>
  kept(what: Kept): string | undefined
  keep(what: Kept, value: string): void
  forget(what: Kept): void
  /** The flow may have begun in another browser. */
  flowId: string | undefined
  /** Undefined if the flow began in another browser. */
  flow: Flow | undefined
  keepFlow(flow: Flow): void
  forgetFlow(id: string): void
  forgetOtherFlows(id: string | undefined): void
  /** `lang` is the user's language, used unless another was chosen since the sign-in. */
  show(render: (page: PageContext) => string, status?: number, lang?: string | null, returnTo?: string): FastifyReply
  /** Redirects (303) to another page of the same flow. */
  go(address: string): FastifyReply
  /** Redirects to an address from the settings, or one that `returnAddress` has allowed. */
  leave(address: string): FastifyReply
}

export function visitOf(ctx: Context, http: Http, request: FastifyRequest, reply: FastifyReply): Visit {
  const api: Api = (call) => callApi(http, request, reply, call)
  const flowId = flowIdOf(request)
  const isOwn: Visit['isOwn'] = (action, formToken, sender) =>
    isFromOwnForm(ctx, request, { action, formToken, sender })
  return {
    lang: languageOf(ctx, request),
    api,
    sign: (action) => formValue(ctx, request, action),
    isOwn,
    submit: submitWith(isOwn, api),
    kept: (what) => kept(ctx, request, what),
    keep: (what, value) => keep(ctx, reply, what, value),
    forget: (what) => forget(ctx, reply, what),
    bringsSession: sessionOf(ctx, request) !== '',
    show: (render, status = 200, usersLanguage = null, returnTo = undefined) =>
      sendPage(ctx, request, reply.code(status), render, { usersLanguage, returnTo }),
    flowId,
    flow: flowOf(ctx, request),
    keepFlow: (flow) => keepFlow(ctx, request, reply, flow),
    forgetFlow: (id) => forgetFlow(ctx, request, reply, id),
    forgetOtherFlows: (id) => forgetFlows(ctx, request, reply, id),
    go: (address) => reply.redirect(/[?&]flow=/.test(address) ? address : inFlow(address, flowId), 303),
    leave: (address) => reply.redirect(address, 303),
  }
}

export const submitWith =
  (isOwn: Visit['isOwn'], api: Api): Visit['submit'] =>
  async (action, formToken, call) =>
    (await isOwn(action, formToken)) ? api(call) : { ok: false, status: 400, refusal: { code: 'PAGE_EXPIRED' } }
