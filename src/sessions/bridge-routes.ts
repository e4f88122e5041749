import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../audit/record.ts'
import type { Context, FoundSession, SessionView } from '../context.ts'
import { bridge } from '../http/access/access.ts'
import { sessionHeader } from '../http/access/auth.ts'
import { deviceOf } from '../http/access/device.ts'
import { finalNewline, sendPrepared } from '../http/replies/send-prepared.ts'
import type { DeclareRoutes } from '../http/server/create-server.ts'
import { canonicalAddress } from '../lib/address.ts'
import { AppError, invalidField, sessionPending } from '../lib/errors.ts'
import { iso } from '../lib/time.ts'
import { hashOf, loadSession, recallSession } from './authenticate.ts'
import { bridgeAnswer } from './bridge-answer.ts'
import { BridgeValidateRoute } from './bridge-schemas.ts'
import { noteSeenInAddress } from './partial-queries.ts'
import { validateMany } from './validate-many.ts'

interface EndUser {
  ip?: string
  user_agent?: string
}

/** Back ends call these routes for every request, so cached sessions are served without a promise or I/O. */
export const bridgeRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.post(
      '/auth/bridge/validate',
      { schema: BridgeValidateRoute, config: { access: bridge, limit: 'bridge', prepared: true, largeBody: true } },
      (request, reply) => {
        if (request.body.session_ids)
          return answerMany(validateMany(ctx, sessionIdsOf(request), request.body.tags), reply)
        const hash = hashOf(sessionIdOf(ctx, request.body.session_id, request))
        const cached = recallSession(ctx, hash)
        if (!cached) return validateSlowly(loadForBridge(ctx, hash), request, reply)
        const found = { cached, source: 'memory' as const }
        if (changedContext(ctx, cached.view, request.body)) return validateSlowly(found, request, reply)
        answer(found, reply)
      },
    )

    const end = finalNewline(ctx.config)

    function answer(found: FoundSession, reply: FastifyReply): void {
      const now = ctx.clock.now()
      ctx.sessions.noteUse(found.cached, now)
      sendPrepared(reply, bridgeAnswer(ctx, found, iso(now)) + end)
    }

    async function answerMany(results: string | Promise<string>, reply: FastifyReply): Promise<FastifyReply> {
      sendPrepared(reply, (await results) + end)
      return reply
    }

    const reported = new Set<string>()
    async function validateSlowly(
      looked: FoundSession | Promise<FoundSession>,
      request: FastifyRequest,
      reply: FastifyReply,
    ) {
      const found = await looked
      const { view } = found.cached
      if (view.session.status === 'pending') return refusePartial(ctx, view, request)
      const changed = changedContext(ctx, view, request.body as EndUser)
      if (changed) await reportContext(ctx, view, changed, request, reported)
      answer(found, reply)
      return reply
    }
  }

/** Back ends do not accept partial sessions. A token from a URL is replaced when the session is completed. */
async function refusePartial(ctx: Context, { session }: SessionView, { query }: FastifyRequest): Promise<never> {
  if ((query as { session_id?: string }).session_id) await noteSeenInAddress(ctx.db, session.id)
  throw new AppError(sessionPending, { sentence: 'Invalid session' })
}

/** Reports expired sessions to back ends as INVALID_SESSION. */
const loadForBridge = (ctx: Context, hash: string) =>
  loadSession(ctx, hash, 'copy').catch((error) => {
    throw error instanceof AppError && error.code === 'SESSION_EXPIRED' ? new AppError('INVALID_SESSION') : error
  })

function sessionIdOf(ctx: Context, inBody: string | undefined, request: FastifyRequest): string {
  if (inBody) return inBody
  const { session_id } = request.query as { session_id?: string }
  if (session_id && ctx.config.ALLOW_QUERY_SESSION) return session_id
  const header = sessionHeader(request)
  if (header) return header
  throw invalidField('session_id', 'is required in the body, the query, or the header X-Session-ID or Authorization')
}

/** Rejects a list combined with parameters for a single session, because the parameters would be ignored. */
function sessionIdsOf({ body, query }: FastifyRequest): string[] {
  const { session_ids, ...others } = { ...(query as object), ...(body as { session_ids: string[] }) }
  const [other] = ['session_id', 'ip', 'user_agent', 'device_id'].filter((name) => name in others)
  if (other) throw invalidField(other, 'must not be combined with session_ids')
  return session_ids
}

/** Uses the end user's device as reported by the back end, not the back end's own connection. */
function changedContext(ctx: Context, { session }: SessionView, { ip, user_agent }: EndUser): string[] | undefined {
  if (ctx.config.SESSION_BINDING === 'off' || (ip === undefined && user_agent === undefined)) return undefined
  const changed: string[] = []
  if (ip !== undefined && (canonicalAddress(ip) ?? ip) !== session.ip_address) changed.push('ip')
  if (user_agent !== undefined && user_agent.slice(0, 512) !== session.user_agent) changed.push('user_agent')
  return changed.length > 0 ? changed : undefined
}

/** Records each kind of change once per session, not once per request. */
async function reportContext(
  ctx: Context,
  view: SessionView,
  changed: string[],
  request: FastifyRequest,
  reported: Set<string>,
) {
  const refused = ctx.config.SESSION_BINDING === 'enforce'
  const key = `${view.session.id} ${changed.join()}`
  if (!reported.has(key)) {
    if (reported.size >= 10_000) reported.clear()
    reported.add(key)
    await recordAudit(ctx, {
      event: 'session_context_changed',
      outcome: refused ? 'failure' : 'success',
      target: view.user.id,
      device: deviceOf(request),
      details: { session: view.session.id, changed },
    })
  }
  if (refused) throw new AppError('INVALID_SESSION')
}
