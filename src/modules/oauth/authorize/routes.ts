import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { anyone } from '../../../http/access/access.ts'
import { isPrefetch } from '../../../http/responses/wants-page.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { AppError } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { flowLifetime } from '../../../ui/flow/flow.ts'
import { visitorPages } from '../../../ui/shared/declare-pages.ts'
import type { PageVisit } from '../../../ui/shared/visit.ts'
import { clientRejectionReasons } from '../rejections/reasons.ts'
import { recordClientRejection } from '../rejections/record-rejection.ts'
import { keepBrowser } from './browser-cookie.ts'
import { isCrowded } from './is-crowded.ts'
import { authorizePath, continueAddress } from './paths.ts'
import { type ReadAuthorization, readAuthorizationRequest, sentIn } from './read-request.ts'
import { insertAuthorizationRequest } from './request-queries.ts'
import { respondToClient } from './respond.ts'
import { AuthorizeFormRoute, AuthorizeRoute } from './schemas.ts'
import { faultPage } from './show-fault.ts'
import { type Authorizing, codeFor, respondSilently, respondWithCode, standingOf } from './take-step.ts'

const config = { access: anyone, limit: 'oauth_authorize', hidden: true, module: 'oauth' } as const

/** RFC 6749, 3.1, and OpenID Connect Core, 3.1.2.1. */
export const authorizeRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = visitorPages(ctx, http)

    pages.get(authorizePath, { schema: AuthorizeRoute, config }, async (visit, request, reply) => {
      const read = await readAuthorizationRequest(ctx, sentIn(request))
      if (!('target' in read)) return showFault(ctx, visit, request, read)
      // Nobody has asked for it yet (RFC 9110, 9.3.2).
      if (isPrefetch(request)) return reply.code(204).send()
      const { client, target } = read
      if (read.wrong) {
        await reportError(ctx, request, client, read.wrong.error)
        const { error, description } = read.wrong
        return respondToClient(ctx, visit, target, { error, error_description: description })
      }
      return begin(ctx, { visit, request, reply, client, params: read.params, stored: undefined })
    })

    // Browsers send no cookies with forms of other sites, but with the request that follows.
    pages.post(
      authorizePath,
      { schema: AuthorizeFormRoute, config: { ...config, form: true } },
      async (visit, request) => {
        const sent = Object.entries(sentIn(request)).map(([name, value]) => [name, value ?? ''])
        return visit.redirectTo(`${authorizePath}?${new URLSearchParams(sent)}`)
      },
    )
  }

async function begin(ctx: Context, asked: Authorizing): Promise<FastifyReply> {
  if (asked.params.prompts.includes('none')) return respondSilently(ctx, asked)
  const { decision, visitor } = await standingOf(ctx, asked)
  const code =
    decision.next === 'issue' && visitor
      ? await codeFor(ctx, asked, { visitor, scopes: decision.scopes, isConsent: false })
      : undefined
  return code === undefined ? storeRequest(ctx, asked) : respondWithCode(ctx, asked, code)
}

async function storeRequest(
  ctx: Context,
  { visit, request, reply, client, params }: Authorizing,
): Promise<FastifyReply> {
  const id = newId()
  const now = ctx.clock.now()
  const row = {
    ...{ id, browser_hash: keepBrowser(ctx, request, reply), client_id: client.id, params },
    ...{ ip_address: request.clientAddress, created_at: new Date(now), expires_at: new Date(now + flowLifetime) },
  }
  const isStored = await insertAuthorizationRequest(ctx.db, row, { isCrowded: await isCrowded(ctx) })
  if (!isStored) throw new AppError('RATE_LIMITED', { retryAfter: 60 })
  return visit.redirectTo(continueAddress(id))
}

/** Nobody is sent anywhere, because the address may be that of an attacker. */
async function showFault(
  ctx: Context,
  visit: PageVisit,
  request: FastifyRequest,
  { fault, client }: Extract<ReadAuthorization, { fault: unknown }>,
): Promise<FastifyReply> {
  const reason = { client: 'unauthorized_client', client_disabled: 'not_live', redirect_uri: 'redirect_uri' } as const
  if (client && !isPrefetch(request)) await recordClientRejection(ctx, request, client, { reason: reason[fault] })
  return visit.show((page) => faultPage(fault, page), 400)
}

async function reportError(ctx: Context, request: FastifyRequest, client: Authorizing['client'], error: string) {
  const reason = clientRejectionReasons.find((known) => known === error) ?? 'invalid_request'
  await recordClientRejection(ctx, request, client, { reason, asked: sentIn(request) })
}
