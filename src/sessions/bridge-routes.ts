import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../audit/record.ts'
import type { Context, SessionCopy, SessionSource, SessionView } from '../context.ts'
import { bridge } from '../http/access.ts'
import type { Routes } from '../http/create-server.ts'
import { deviceOf } from '../http/device.ts'
import { canonicalAddress } from '../lib/address.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { iso, minute } from '../lib/time.ts'
import { bridgeUser } from '../users/shapes.ts'
import { hashOf, loadSession, recallSession } from './authenticate.ts'
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
      { schema: BridgeValidateRoute, config: { access: bridge, limit: 'bridge' } },
      (request, reply) => {
        const hash = hashOf(sessionIdOf(ctx, request.body.session_id, request))
        const copy = recallSession(ctx, hash)
        if (copy && changedContext(ctx, copy.view, request.body).length === 0) {
          answerFromCopy(ctx, copy, reply)
          return
        }
        return validateSlowly(hash, copy?.view, request)
      },
    )

    const reported = new Set<string>()
    async function validateSlowly(hash: string, recalled: SessionView | undefined, request: FastifyRequest) {
      const found = recalled ? { ...recalled, source: 'memory' as const } : await loadForBridge(ctx, hash)
      if (found.session.status === 'pending') throw new AppError('TWO_FACTOR_REQUIRED', { sentence: 'Invalid session' })
      const changed = changedContext(ctx, found, request.body as EndUser)
      if (changed.length > 0) await reportContext(ctx, found, changed, request, reported)
      return validated(ctx, found, found.source)
    }
  }

const time = '"timestamp":"'

/**
 * One user's answers from one copy differ in their time alone, the last member: the rest is written once, by the
 * serializer of the reply's schema.
 */
function answerFromCopy(ctx: Context, copy: SessionCopy, reply: FastifyReply): void {
  if (ctx.clock.now() >= copy.noteFrom) {
    ctx.sessions.noteUse(copy.view)
    copy.noteFrom = ctx.clock.now() + minute
  }
  if (copy.bridgeAnswer === undefined) {
    const text = String(reply.serializeInput(validated(ctx, copy.view, 'memory'), '200'))
    copy.bridgeAnswer = text.slice(0, text.lastIndexOf(time) + time.length)
  }
  reply.header('content-type', 'application/json; charset=utf-8')
  reply.send(`${copy.bridgeAnswer}${iso(ctx.clock.now())}"}`)
}

/** Back ends tell no kinds of refusal apart: whatever is not alive is an invalid session. */
const loadForBridge = (ctx: Context, hash: string) =>
  loadSession(ctx, hash, 'copy').catch((error) => {
    throw error instanceof AppError && error.code === 'SESSION_EXPIRED' ? new AppError('INVALID_SESSION') : error
  })

function sessionIdOf(ctx: Context, inBody: string | undefined, request: FastifyRequest): string {
  if (inBody) return inBody
  const { session_id } = request.query as { session_id?: string }
  if (session_id && ctx.config.ALLOW_QUERY_SESSION) return session_id
  const header = request.headers['x-session-id']
  if (typeof header === 'string' && header !== '') return header
  throw invalidField('session_id', 'is required: in the body, the query or the header X-Session-ID')
}

/** Only what the back end says of its end user counts, never the back end's own connection. */
function changedContext(ctx: Context, { session }: SessionView, { ip, user_agent }: EndUser): string[] {
  if (ctx.config.SESSION_BINDING === 'off' || (ip === undefined && user_agent === undefined)) return []
  const changed: string[] = []
  if (ip !== undefined && (canonicalAddress(ip) ?? ip) !== session.ip_address) changed.push('ip')
  if (user_agent !== undefined && user_agent.slice(0, 512) !== session.user_agent) changed.push('user_agent')
  return changed
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

function validated(ctx: Context, view: SessionView, source: SessionSource) {
  ctx.sessions.noteUse(view)
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
    cached: source !== 'database',
    cacheSource: source,
    timestamp: iso(ctx.clock.now()),
  }
}
