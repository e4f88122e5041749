import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { anyone } from '../../../http/access/access.ts'
import { deviceOf } from '../../../http/access/device.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { AppError } from '../../../lib/errors.ts'
import { rolesInWords } from '../../../ui/console/roles.ts'
import { visitorPages } from '../../../ui/shared/declare-pages.ts'
import type { PageProblem } from '../../../ui/shared/problem-text.ts'
import { nameOf } from '../../../ui/shared/profile.ts'
import { scopesOf } from '../../api-keys/pages/scope-words.ts'
import { deny, findAuthorizing, type StoredAuthorizing } from '../authorize/find-authorizing.ts'
import { consentPath, continueAddress } from '../authorize/paths.ts'
import { ConsentFormRoute, ConsentPageRoute } from '../authorize/schemas.ts'
import { faultPage } from '../authorize/show-fault.ts'
import { codeFor, respondWithCode, standingOf } from '../authorize/take-step.ts'
import type { Visitor } from '../authorize/visitor.ts'
import { isOptionalScope } from '../oidc-scopes.ts'
import { findConsent } from './consent-queries.ts'
import { findDeclaredScopes } from './scope-queries.ts'
import { consentPage } from './view.ts'

const read = { access: anyone, limit: 'read', hidden: true, module: 'oauth' } as const
const write = { access: anyone, limit: 'write', hidden: true, module: 'oauth', form: true } as const

export const consentRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = visitorPages(ctx, http)

    pages.get(consentPath, { schema: ConsentPageRoute, config: read }, async (visit, request, reply) => {
      if (isFramed(request)) throw new AppError('FORBIDDEN')
      const asked = await findAuthorizing(ctx, { visit, request, reply, id: request.query.request })
      return asked ? ask(ctx, asked) : visit.show((page) => faultPage('over', page), 400)
    })

    pages.post(consentPath, { schema: ConsentFormRoute, config: write }, async (visit, request, reply) => {
      const { request: id, decision, form_token: formToken, ...typed } = request.body
      const asked = await findAuthorizing(ctx, { visit, request, reply, id })
      const isOwn = await visit.isOwn(formAction(id), formToken)
      if (!asked) return visit.show((page) => faultPage('over', page), 400)
      const standing = await standingOf(ctx, asked)
      const { visitor } = standing
      if (!visitor || standing.decision.next !== 'ask') return visit.redirectTo(continueAddress(id))
      // The form belongs to the session and to the person to whom the page was shown.
      if (!isOwn || visit.isOfOtherUser(formToken, visitor.user.id)) return ask(ctx, asked, 'PAGE_EXPIRED', 400)
      if (decision !== 'allow') return rejectConsent(ctx, asked, visitor)
      const chosen = scopesOf(typed as Record<string, string>)
      const scopes = standing.decision.scopes.filter((scope) => !isOptionalScope(scope) || chosen.includes(scope))
      const code = await codeFor(ctx, asked, { visitor, scopes, isConsent: true })
      if (code !== undefined) return respondWithCode(ctx, asked, code)
      return visit.show((page) => faultPage('over', page), 400)
    })
  }

/** The token of the form is bound to the request. */
const formAction = (id: string): string => `${consentPath} ${id}`

/** For browsers that ignore `frame-ancestors`. */
const isFramed = ({ headers }: FastifyRequest): boolean =>
  ['iframe', 'frame', 'embed', 'object', 'fencedframe'].includes(String(headers['sec-fetch-dest']))

async function ask(
  ctx: Context,
  asked: StoredAuthorizing,
  problem?: PageProblem,
  status?: number,
): Promise<FastifyReply> {
  const { visit, client, params, stored } = asked
  const { decision, visitor } = await standingOf(ctx, asked)
  if (!visitor || decision.next !== 'ask') return visit.redirectTo(continueAddress(stored.id))
  const { user } = visitor
  const consent = await findConsent(ctx.db, user.id, client.id)
  const application = ctx.applications.current().ofKey(client.application.key)
  const data = {
    ...{ requestId: stored.id, form: visit.sign(formAction(stored.id), user.id), client },
    ...{ redirectUri: params.redirect_uri, scopes: decision.scopes, known: consent?.scopes ?? [] },
    ...{ terms: { roles: rolesInWords(ctx), declared: await findDeclaredScopes(ctx.db, decision.scopes) }, problem },
    account: { name: nameOf(user), email: user.email },
    isLasting: client.signIn.offlineDefault || decision.scopes.includes('offline_access'),
    ...{ appearance: application?.appearance ?? null, another: anotherAddress(stored.id) },
  }
  return visit.show((page) => consentPage(data, page), status, user.lang, params.redirect_uri)
}

const anotherAddress = (id: string): string => `${continueAddress(id)}&another=true`

async function rejectConsent(ctx: Context, asked: StoredAuthorizing, { user }: Visitor): Promise<FastifyReply> {
  const { request, client } = asked
  await recordAudit(ctx, {
    ...{ event: 'oauth_consent_refused', actor: user, target: user.id, device: deviceOf(request) },
    details: { client: client.clientId, name: client.name },
  })
  return deny(ctx, asked, 'access_denied')
}
