import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Http } from '../http/create-server.ts'
import { type ApiCall, type ApiReply, callApi } from './call-api.ts'
import { forget, type Kept, keep, kept } from './kept-value.ts'
import { languageOf } from './language.ts'
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
  isOwn(action: string, page: string | undefined, sender?: Sender): Promise<boolean>
  /** What the browser holds for us, so that it stands in no address. */
  kept(what: Kept): string | undefined
  keep(what: Kept, value: string): void
  forget(what: Kept): void
  /** In `lang`, the user's own language, unless another was chosen since they signed in. */
  show(render: (page: PageContext) => string, status?: number, lang?: string | null): FastifyReply
  /** On to another page; what was posted is not posted again. */
  go(address: string): FastifyReply
}

export const visitOf = (ctx: Context, http: Http, request: FastifyRequest, reply: FastifyReply): Visit => ({
  lang: languageOf(ctx, request),
  api: (call) => callApi(http, request, reply, call),
  sign: (action) => formValue(ctx, request, action),
  isOwn: (action, page, sender) => isFromOwnForm(ctx, request, { action, page, sender }),
  kept: (what) => kept(ctx, request, what),
  keep: (what, value) => keep(ctx, reply, what, value),
  forget: (what) => forget(ctx, reply, what),
  bringsSession: sessionOf(ctx, request) !== '',
  show: (render, status = 200, lang = null) => sendPage(ctx, request, reply.code(status), render, lang),
  go: (address) => reply.redirect(address, 303),
})
