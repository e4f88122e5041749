import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../audit/record.ts'
import type { Context, FoundCopy, SessionView } from '../context.ts'
import { bridge } from '../http/access.ts'
import { sessionHeader } from '../http/auth.ts'
import type { Routes } from '../http/create-server.ts'
import { deviceOf } from '../http/device.ts'
import { finalNewline } from '../http/final-newline.ts'
import { sendPrepared, toAscii } from '../http/send-prepared.ts'
import { canonicalAddress } from '../lib/address.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { iso } from '../lib/time.ts'
import { bridgeUser } from '../users/shapes.ts'
import { hashOf, loadSession, recallSession } from './authenticate.ts'
import { identityOf } from './identity.ts'
import { noteSeenInAddress } from './partial-queries.ts'
import { expiresAtOf } from './replies.ts'
import { BridgeValidateRoute } from './schemas.ts'

interface EndUser {
  ip?: string
  user_agent?: string
}

/**
 * POST /auth/bridge/validate, which back ends call for every request of theirs. An answer from memory makes no promise
 * and does no I/O.
 */
export const bridgeRoutes =
  (ctx: Context): Routes =>
  (http) => {
    http.post(
      '/auth/bridge/validate',
      { schema: BridgeValidateRoute, config: { access: bridge, limit: 'bridge', prepared: true } },
      (request, reply) => {
        const hash = hashOf(sessionIdOf(ctx, request.body.session_id, request))
        const copy = recallSession(ctx, hash)
        if (!copy) return validateSlowly(loadForBridge(ctx, hash), request, reply)
        const found = { copy, source: 'memory' as const }
        if (changedContext(ctx, copy.view, request.body)) return validateSlowly(found, request, reply)
        answer(found, reply)
      },
    )

    const end = `"}${finalNewline(ctx.config)}`

    /**
     * One user's answers from one copy differ in their last members alone: the rest is written once, by the serializer of
     * the reply's schema.
     */
    function answer({ copy, source }: FoundCopy, reply: FastifyReply): void {
      const now = ctx.clock.now()
      ctx.sessions.noteUse(copy, now)
      copy.bridgeAnswer ??= textUntilSource(String(reply.serializeInput(validated(ctx, copy.view), '200')))
      const isCopy = source !== 'database'
      sendPrepared(
        reply,
        `${copy.bridgeAnswer}"cached":${isCopy},"cacheSource":"${source}","timestamp":"${iso(now)}${end}`,
      )
    }

    const reported = new Set<string>()
    async function validateSlowly(
      looked: FoundCopy | Promise<FoundCopy>,
      request: FastifyRequest,
      reply: FastifyReply,
    ) {
      const found = await looked
      const { view } = found.copy
      if (view.session.status === 'pending') return refusePartial(ctx, view, request)
      const changed = changedContext(ctx, view, request.body as EndUser)
      if (changed) await reportContext(ctx, view, changed, request, reported)
      answer(found, reply)
      return reply
    }
  }

/** Towards back ends it is nobody's. Where their address named it, it will have another value once it is a full one. */
async function refusePartial(ctx: Context, { session }: SessionView, { query }: FastifyRequest): Promise<never> {
  if ((query as { session_id?: string }).session_id) await noteSeenInAddress(ctx.db, session.id)
  throw new AppError('TWO_FACTOR_REQUIRED', { sentence: 'Invalid session' })
}

/** In JSON no text within a value can look like this member. */
const textUntilSource = (json: string): string => toAscii(json.slice(0, json.lastIndexOf('"cached":')))

/** Back ends tell no kinds of refusal apart: whatever is not alive is an invalid session. */
const loadForBridge = (ctx: Context, hash: string) =>
  loadSession(ctx, hash, 'copy').catch((error) => {
    throw error instanceof AppError && error.code === 'SESSION_EXPIRED' ? new AppError('INVALID_SESSION') : error
  })

function sessionIdOf(ctx: Context, inBody: string | undefined, request: FastifyRequest): string {
  if (inBody) return inBody
  const { session_id } = request.query as { session_id?: string }
  if (session_id && ctx.config.ALLOW_QUERY_SESSION) return session_id
  const header = sessionHeader(request.headers)
  if (header) return header
  throw invalidField('session_id', 'is required: in the body, the query, or the header X-Session-ID or Authorization')
}

/** Only what the back end says of its end user counts, never the back end's own connection. */
function changedContext(ctx: Context, { session }: SessionView, { ip, user_agent }: EndUser): string[] | undefined {
  if (ctx.config.SESSION_BINDING === 'off' || (ip === undefined && user_agent === undefined)) return undefined
  const changed: string[] = []
  if (ip !== undefined && (canonicalAddress(ip) ?? ip) !== session.ip_address) changed.push('ip')
  if (user_agent !== undefined && user_agent.slice(0, 512) !== session.user_agent) changed.push('user_agent')
  return changed.length > 0 ? changed : undefined
}

/** One event for a session and its new surroundings, not one a request. */
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
    await recordAudit(ctx, ctx.db, {
      event: 'session_context_changed',
      outcome: refused ? 'failure' : 'success',
      target: view.user.id,
      device: deviceOf(request),
      details: { session: view.session.id, changed },
    })
  }
  if (refused) throw new AppError('INVALID_SESSION')
}

function validated(ctx: Context, view: SessionView) {
  const { session } = view
  const expires = expiresAtOf(ctx, view)
  return {
    success: true as const,
    user: bridgeUser(ctx, view.user),
    session: {
      id: session.id,
      userId: session.user_id,
      expiresAt: expires,
      ipAddress: session.ip_address,
      userAgent: session.user_agent,
      lastUsedAt: iso(session.last_used_at),
      two_factor_verified: session.two_factor_verified ? (1 as const) : (0 as const),
      ...(ctx.config.CLIENT_COMPAT && { user_id: session.user_id, expires_at: expires }),
    },
    expires_at: expires,
    ...identityOf(view),
    cached: true,
    cacheSource: 'memory' as const,
    timestamp: '',
  }
}
