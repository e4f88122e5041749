import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import type { PageVisit } from '../../../ui/shared/visit.ts'
import { findClientViews } from '../clients/client-queries.ts'
import { matchRedirectUri } from '../clients/redirect-uri.ts'
import { browserHashOf, keepBrowser } from './browser-cookie.ts'
import { needsPkce } from './read-request.ts'
import { consumeRequest, findAuthorizationRequest } from './request-queries.ts'
import { respondToClient } from './respond.ts'
import { faultPage } from './show-fault.ts'
import { type Authorizing, targetOfParams } from './take-step.ts'

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
  const row = await findAuthorizationRequest(ctx.db, { id, browserHash, now: ctx.clock.date() })
  const [client] = row ? await findClientViews(ctx, { ids: [row.client_id] }) : []
  if (!row || !client?.isLive) return undefined
  if (!matchRedirectUri(client.signIn.redirectUris, row.params.redirect_uri, client.type)) return undefined
  if (needsPkce(client) && row.params.code_challenge === null) return undefined
  keepBrowser(ctx, request, reply)
  const stored = { id, browserHash, begunAt: row.created_at.getTime() }
  return { visit, request, reply, client, params: row.params, stored }
}

export async function deny(ctx: Context, { visit, params, stored }: StoredAuthorizing, error: string) {
  const isMine = await consumeRequest(ctx.db, { ...stored, now: ctx.clock.date() })
  if (!isMine) return visit.show((page) => faultPage('over', page), 400)
  return respondToClient(ctx, visit, targetOfParams(params), { error })
}
