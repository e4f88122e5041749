import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { deviceOf } from '../../../http/access/device.ts'
import { rulesOf } from '../../../http/responses/sign-in-rules.ts'
import type { PageVisit } from '../../../ui/shared/visit.ts'
import { findLocks } from '../../../users/account-throttle.ts'
import type { Client } from '../clients/client-view.ts'
import { findConsent } from '../consent/consent-queries.ts'
import type { StoredParameters } from '../grant-rows.ts'
import { recordClientRejection } from '../rejections/record-rejection.ts'
import { type Decision, type Denial, decide } from './decide.ts'
import { issueAuthorizationCode } from './issue-code.ts'
import { type ResponseTarget, respondToClient } from './respond.ts'
import { findVisitor, type Visitor } from './visitor.ts'

/** A request for authorization in progress. */
export interface Authorizing {
  visit: PageVisit
  request: FastifyRequest
  reply: FastifyReply
  client: Client
  params: StoredParameters
  /** Undefined until something must be asked. */
  stored: { id: string; browserHash: Buffer; begunAt: number } | undefined
}

export const targetOfParams = ({ redirect_uri, response_mode, state }: StoredParameters): ResponseTarget => ({
  redirectUri: redirect_uri,
  mode: response_mode,
  state: state ?? undefined,
})

export interface Standing {
  decision: Decision
  visitor: Visitor | undefined
}

export async function standingOf(ctx: Context, { request, client, params, stored }: Authorizing): Promise<Standing> {
  const visitor = await findVisitor(ctx, request)
  const consent = visitor && (await findConsent(ctx.db, visitor.user.id, client.id))
  const application = ctx.applications.latest().ofKey(client.application.key)
  const rules = rulesOf(application ? [application] : [])
  const lockedSince = visitor && (await lockOf(ctx, visitor))
  const asking = { client, params, begunAt: stored?.begunAt, rules, consent, lockedSince }
  return { visitor, decision: decide(asking, visitor, ctx.clock.now()) }
}

async function lockOf(ctx: Context, { user }: Visitor): Promise<number | undefined> {
  const until = (await findLocks(ctx, [user.id])).get(user.id)
  return until && until.getTime() - ctx.config.LOCKOUT_DURATION
}

/** Undefined if the request is over, or if the session or the client has changed meanwhile. */
export const codeFor = (
  ctx: Context,
  { request, client, params, stored }: Authorizing,
  { visitor, scopes, isConsent }: { visitor: Visitor; scopes: readonly string[]; isConsent: boolean },
): Promise<string | undefined> =>
  issueAuthorizationCode(ctx, {
    ...{ client, params, scopes, visitor, isConsent },
    ...{ device: deviceOf(request), request: stored },
  })

export const respondWithCode = (ctx: Context, { visit, params }: Authorizing, code: string): FastifyReply =>
  respondToClient(ctx, visit, targetOfParams(params), { code })

const silentErrors: Record<Exclude<Decision['next'], 'issue'>, string> = {
  sign_in: 'login_required',
  ask: 'consent_required',
  deny: 'access_denied',
}

/** With `prompt=none`, nothing is asked (OpenID Connect Core, 3.1.2.6). */
export async function respondSilently(ctx: Context, asked: Authorizing): Promise<FastifyReply> {
  const { decision, visitor } = await standingOf(ctx, asked)
  if (decision.next === 'deny') await recordAuthorizationDenial(ctx, asked, { why: decision.why, visitor })
  const code =
    decision.next === 'issue' && visitor
      ? await codeFor(ctx, asked, { visitor, scopes: decision.scopes, isConsent: false })
      : undefined
  if (code !== undefined) return respondWithCode(ctx, asked, code)
  const error = decision.next === 'issue' ? 'login_required' : silentErrors[decision.next]
  return respondToClient(ctx, asked.visit, targetOfParams(asked.params), { error })
}

export async function recordAuthorizationDenial(
  ctx: Context,
  { request, client }: Authorizing,
  { why, visitor }: { why: Denial; visitor: Visitor | undefined },
): Promise<void> {
  if (why !== 'impersonated') return recordClientRejection(ctx, request, client, { reason: why })
  const device = { ...deviceOf(request), impersonatedBy: visitor?.session.impersonated_by ?? undefined }
  const details = { deed: 'authorize', reason: why, client: client.clientId }
  await recordAudit(ctx, {
    ...{ event: 'authz_denied', outcome: 'failure', actor: visitor?.user, target: visitor?.user.id, device, details },
  })
}
