import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { anyone } from '../../../http/access/access.ts'
import { isPrefetch } from '../../../http/responses/wants-page.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import { inFlow, type SignInFlow } from '../../../ui/flow/flow.ts'
import { newFlowId } from '../../../ui/flow/flow-cookies.ts'
import { rememberLanguage } from '../../../ui/language/language.ts'
import { noticePage, noticeWithLink } from '../../../ui/messages/notice/view.ts'
import { visitorPages } from '../../../ui/shared/declare-pages.ts'
import type { PageVisit } from '../../../ui/shared/visit.ts'
import { pageLanguages } from '../../../ui/texts/index.ts'
import { findClientViews } from '../clients/client-queries.ts'
import { matchRedirectUri } from '../clients/redirect-uri.ts'
import { browserHashOf, keepBrowser } from './browser-cookie.ts'
import { cancelRequestAddress, consentAddress, continueAddress, continuePath } from './paths.ts'
import { consumeRequest, findRequest } from './request-queries.ts'
import { respondToClient } from './respond.ts'
import { ContinueRoute } from './schemas.ts'
import { faultPage, notAllowedPage } from './show-fault.ts'
import { type Authorizing, issueTo, recordDenial, standingOf, targetOfParams } from './take-step.ts'

const config = { access: anyone, limit: 'read', hidden: true, module: 'oauth' } as const

/** Each step of a request for authorization returns here, until the client gets its response. */
export const continueRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    visitorPages(ctx, http).get(continuePath, { schema: ContinueRoute, config }, async (visit, request, reply) => {
      if (isPrefetch(request)) return reply.code(204).send()
      const asked = await findAuthorizing(ctx, { visit, request, reply, id: request.query.request })
      if (!asked) return visit.show((page) => faultPage('over', page), 400)
      if (request.query.error !== undefined) return deny(ctx, asked, 'access_denied')
      const { decision, visitor } = await standingOf(ctx, asked)
      if (decision.next === 'sign_in') return toSignIn(ctx, asked, { ...decision, isNew: !visitor })
      if (decision.next === 'ask') return visit.redirectTo(consentAddress(asked.stored.id))
      if (decision.next === 'issue' && visitor) {
        const issued = await issueTo(ctx, asked, { visitor, scopes: decision.scopes, isConsent: false })
        return issued ?? visit.show((page) => faultPage('over', page), 400)
      }
      const why = decision.next === 'deny' ? decision.why : 'not_allowed'
      await recordDenial(ctx, asked, { why, visitor })
      if (why === 'unmet') return deny(ctx, asked, 'unmet_authentication_requirements')
      if (why === 'impersonated')
        return visit.show((page) => noticePage(noticeWithLink('impersonated', 'account', page.lang), page), 403)
      const back = { name: asked.client.name, backTo: cancelRequestAddress(asked.stored.id) }
      const { redirect_uri } = asked.params
      return visit.show((page) => notAllowedPage(back, page), 403, visitor?.user.lang, redirect_uri)
    })
  }

export type StoredAuthorizing = Authorizing & { stored: NonNullable<Authorizing['stored']> }

interface Continuing {
  visit: PageVisit
  request: FastifyRequest
  reply: FastifyReply
  id: string
}

/** Undefined if another browser began the request, if it is over, or if its client may not receive it any more. */
export async function findAuthorizing(
  ctx: Context,
  { visit, request, reply, id }: Continuing,
): Promise<StoredAuthorizing | undefined> {
  const browserHash = browserHashOf(ctx, request)
  if (browserHash === undefined || !looksLikeId(id)) return undefined
  const row = await findRequest(ctx.db, { id, browserHash, now: ctx.clock.date() })
  const [client] = row ? await findClientViews(ctx, { ids: [row.client_id] }) : []
  if (!row || !client?.isLive) return undefined
  if (!matchRedirectUri(client.signIn.redirectUris, row.params.redirect_uri, client.type)) return undefined
  keepBrowser(ctx, request, reply)
  const stored = { id, browserHash, begunAt: row.created_at.getTime() }
  return { visit, request, reply, client, params: row.params, stored }
}

export async function deny(ctx: Context, { visit, params, stored }: StoredAuthorizing, error: string) {
  const isMine = await consumeRequest(ctx.db, { ...stored, now: ctx.clock.date() })
  if (!isMine) return visit.show((page) => faultPage('over', page), 400)
  return respondToClient(ctx, visit, targetOfParams(params), { error })
}

interface SignInStep {
  another: boolean
  provenSince?: number | undefined
  /** Whether nobody is signed in. */
  isNew?: boolean
}

/** The pages of sign-in, registration and so on lead back here. */
function toSignIn(
  ctx: Context,
  { visit, request, reply, client, params, stored }: StoredAuthorizing,
  { another, provenSince, isNew = false }: SignInStep,
): FastifyReply {
  const flow: SignInFlow = {
    id: newFlowId(),
    startedAt: ctx.clock.now(),
    returnTo: ctx.config.PUBLIC_URL + continueAddress(stored.id),
    client: { address: rootOf(params.redirect_uri), application: client.application.key },
    ...(provenSince !== undefined && { provenSince }),
    ...(params.login_hint !== null && { loginHint: params.login_hint }),
  }
  visit.keepFlow(flow)
  const lang = params.ui_locales
    .map((tag) => pageLanguages.find((one) => one === tag.toLowerCase().split('-')[0]))
    .find((one) => one !== undefined)
  if (lang) rememberLanguage(ctx, request, reply, lang)
  if (another) return visit.redirectTo(inFlow('/login?another=true', flow.id))
  return visit.redirectTo(inFlow(isNew && params.prompts.includes('create') ? '/register' : '/login', flow.id))
}

/** The origin, or the scheme of a program on the user's device. */
function rootOf(address: string): string {
  const { protocol, origin } = new URL(address)
  return /^https?:$/.test(protocol) ? `${origin}/` : `${protocol}/`
}
