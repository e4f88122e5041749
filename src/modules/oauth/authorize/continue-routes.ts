import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import { anyone } from '../../../http/access/access.ts'
import { isPrefetch } from '../../../http/responses/wants-page.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { inFlow, type SignInFlow } from '../../../ui/flow/flow.ts'
import { newFlowId } from '../../../ui/flow/flow-cookies.ts'
import { rememberLanguage } from '../../../ui/language/language.ts'
import { noticePage, noticeWithLink } from '../../../ui/messages/notice/view.ts'
import { visitorPages } from '../../../ui/shared/declare-pages.ts'
import { pageLanguages } from '../../../ui/texts/index.ts'
import { deny, findAuthorizing, type StoredAuthorizing } from './find-authorizing.ts'
import { cancelRequestAddress, consentAddress, continueAddress, continuePath } from './paths.ts'
import { ContinueRoute } from './schemas.ts'
import { faultPage, notAllowedPage } from './show-fault.ts'
import { codeFor, recordAuthorizationDenial, respondWithCode, standingOf } from './take-step.ts'

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
      // The link of the page that asks for consent.
      if (request.query.another !== undefined) return toSignIn(ctx, asked, { another: true })
      const { decision, visitor } = await standingOf(ctx, asked)
      if (decision.next === 'sign_in') return toSignIn(ctx, asked, { ...decision, isNew: !visitor })
      if (decision.next === 'ask') return visit.redirectTo(consentAddress(asked.stored.id))
      if (decision.next === 'issue' && visitor) {
        const code = await codeFor(ctx, asked, { visitor, scopes: decision.scopes, isConsent: false })
        if (code !== undefined) return respondWithCode(ctx, asked, code)
        return visit.show((page) => faultPage('over', page), 400)
      }
      const why = decision.next === 'deny' ? decision.why : 'not_allowed'
      await recordAuthorizationDenial(ctx, asked, { why, visitor })
      if (why === 'unmet') return deny(ctx, asked, 'unmet_authentication_requirements')
      if (why === 'impersonated')
        return visit.show((page) => noticePage(noticeWithLink('impersonated', 'account', page.lang), page), 403)
      const back = { name: asked.client.name, backTo: cancelRequestAddress(asked.stored.id) }
      const { redirect_uri } = asked.params
      return visit.show((page) => notAllowedPage(back, page), 403, visitor?.user.lang, redirect_uri)
    })
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
