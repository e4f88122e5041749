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

/** One person at one page of ours: what its handler can do. */
export interface Visit {
  /** The language in which pages are shown. */
  lang: PageContext['lang']
  api: Api
  /** Whether the browser holds a session, alive or not. */
  bringsSession: boolean
  /** The hidden value of a form that posts to this path. */
  sign(action: string): string
  /** Whether what was posted to this path came from our form. To be awaited: one from elsewhere is recorded. */
  isOwn(action: string, formToken: string | undefined, sender?: Sender): Promise<boolean>
  /** Asks the API for what was posted to this path. For a form from elsewhere nothing is asked, and that refused. */
  submit<Body>(action: string, formToken: string | undefined, call: ApiCall): Promise<ApiReply<Body>>
  /** What the browser holds for us, so that it stands in no address. */
  kept(what: Kept): string | undefined
  keep(what: Kept, value: string): void
  forget(what: Kept): void
  /** The id of a flow in the address, which may have begun in another browser. */
  flowId: string | undefined
  /** That flow, if it began in this browser. */
  flow: Flow | undefined
  keepFlow(flow: Flow): void
  forgetFlow(id: string): void
  /** Forgets every flow of this browser but one. */
  forgetOtherFlows(id: string | undefined): void
  /** In `lang`, the user's own language, unless another was chosen since they signed in. */
  show(render: (page: PageContext) => string, status?: number, lang?: string | null, returnTo?: string): FastifyReply
  /** On to another page, in the same flow; what was posted is not posted again. */
  go(address: string): FastifyReply
  /** Away from these pages: to an address of the configuration, or one that `returnAddress` has allowed. */
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
