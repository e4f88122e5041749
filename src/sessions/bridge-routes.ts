import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CachedSession, Context, FoundSession, SessionView } from '../context.ts'
import { bridge } from '../http/access/access.ts'
import { sessionHeader } from '../http/access/auth.ts'
import type { EndUser } from '../http/access/device.ts'
import { isVisibleTo } from '../http/access/visible-session.ts'
import { finalNewline, sendPrepared } from '../http/responses/send-prepared.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { AppError, invalidField, sessionPending } from '../lib/errors.ts'
import { iso } from '../lib/time.ts'
import { asUnknown, hashOf, loadSession, recallSession } from './authenticate.ts'
import type { Door } from './binding.ts'
import { bridgeResponse } from './bridge-response.ts'
import { BridgeValidateRoute } from './bridge-schemas.ts'
import { effectiveRoles } from './effective-roles.ts'
import { noteSeenInUrl } from './partial-queries.ts'
import { type SessionList, type ValidateCredentials, validateMany } from './validate-many.ts'

const door: Door = { needs: 'ip and user_agent of the end user in the body' }

/** Back ends call these routes for every request, so cached sessions are served without a promise or I/O. */
export const bridgeRoutes =
  (createValidation: (ctx: Context) => ValidateCredentials) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const validateCredentials = createValidation(ctx)
    http.post(
      '/auth/bridge/validate',
      { schema: BridgeValidateRoute, config: { access: bridge, limit: 'bridge', prepared: true, largeBody: true } },
      (request, reply) => {
        if (namesCredentials(request.body)) return respondWith(validateCredentials(request), reply)
        if (request.body.session_ids) return respondWith(validateMany(ctx, request, listOf(request)), reply)
        const hash = hashOf(sessionIdOf(ctx, request.body.session_id, request))
        const cached = recallSession(ctx, hash)
        if (!cached) return validateSlowly(loadForBridge(ctx, hash), request, reply)
        const rejection = check(cached, request)
        if (rejection) return rejection
        return respond({ cached, source: 'memory', roles: ctx.applicationRoles.current() }, reply)
      },
    )

    const end = finalNewline(ctx.config)

    function respond(found: FoundSession, reply: FastifyReply): void {
      const now = ctx.clock.now()
      ctx.sessions.noteUse(found.cached, now)
      const roles = effectiveRoles(found, reply.request.bridgeSecret)
      sendPrepared(reply, bridgeResponse(ctx, found, roles, iso(now)) + end)
    }

    function respondWith(text: string | Promise<string>, reply: FastifyReply): Promise<FastifyReply> | undefined {
      if (typeof text !== 'string') return text.then((loaded) => respondWith(loaded, reply) ?? reply)
      sendPrepared(reply, text + end)
      return undefined
    }

    const check = ({ view }: CachedSession, request: FastifyRequest) =>
      assertVisible(view, request) ?? ctx.binding.check(view, request.body as EndUser, door, request)

    async function validateSlowly(looked: Promise<FoundSession>, request: FastifyRequest, reply: FastifyReply) {
      const found = await looked
      const { view } = found.cached
      if (view.session.status === 'pending') return rejectPartial(ctx, view, request)
      await check(found.cached, request)
      respond(found, reply)
      return reply
    }
  }

/** Members that need a credential would otherwise be ignored. */
function namesCredentials(body: { credential?: string; credentials?: string[]; accept?: unknown; scopes?: unknown }) {
  if (body.credential !== undefined || body.credentials !== undefined) return true
  if (body.accept !== undefined || body.scopes !== undefined)
    throw invalidField('credential', 'is required with accept and scopes')
  return false
}

/** The response is that for a session that does not exist. */
const assertVisible = (view: SessionView, { bridgeSecret }: FastifyRequest): Promise<never> | undefined =>
  isVisibleTo(bridgeSecret?.application, view) ? undefined : Promise.reject(new AppError('INVALID_SESSION'))

/** Back ends do not accept partial sessions. A token from a URL is replaced when the session is completed. */
async function rejectPartial(ctx: Context, { session }: SessionView, { query }: FastifyRequest): Promise<never> {
  if ((query as { session_id?: string }).session_id) await noteSeenInUrl(ctx.db, session.id)
  throw new AppError(sessionPending, { sentence: 'Invalid session' })
}

/** Reports expired sessions to back ends as INVALID_SESSION. */
const loadForBridge = (ctx: Context, hash: string) =>
  loadSession(ctx, hash, 'copy').catch((error) => {
    throw asUnknown(error)
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
function listOf({ body, query }: FastifyRequest): SessionList {
  const { session_ids, tags = [], end_users, ...others } = { ...(query as object), ...(body as ListBody) }
  const [other] = ['session_id', 'ip', 'user_agent', 'compare', 'device_id'].filter((name) => name in others)
  if (other) throw invalidField(other, 'must not be combined with session_ids')
  if (end_users && end_users.length !== session_ids.length)
    throw invalidField('end_users', 'must have one entry for each of session_ids')
  return { sessionTokens: session_ids, tags, endUsers: end_users ?? [] }
}

interface ListBody {
  session_ids: string[]
  tags?: string[]
  end_users?: EndUser[]
}
