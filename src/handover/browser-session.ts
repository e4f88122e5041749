import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { deviceOf } from '../http/access/device.ts'
import { onlyCookie } from '../http/cookies/cookies.ts'
import { findReturnAddress } from '../http/responses/redirects.ts'
import { AppError } from '../lib/errors.ts'
import { loadFromCookie } from '../sessions/authenticate.ts'
import { setCookieFor } from '../sessions/responses.ts'
import { isBrowserSession } from '../sessions/session.ts'
import type { BrowserSession, FindBrowserSession } from '../ui/flow/end-flow.ts'
import { issueHandoverCode } from './issue-code.ts'

/** A cached session may be seconds old, so this reads it from the database. */
export const findBrowserSession =
  (ctx: Context): FindBrowserSession =>
  async (request: FastifyRequest): Promise<BrowserSession | undefined> => {
    const sessionToken = onlyCookie(request.headers.cookie, ctx.config.SESSION_COOKIE_NAME)
    if (sessionToken === undefined) return undefined
    try {
      const { cached } = await loadFromCookie(ctx, sessionToken, request)
      const { session } = cached.view
      if (session.status !== 'active' || !isBrowserSession(session)) return undefined
      ctx.sessions.noteUse(cached, ctx.clock.now())
      const device = { ...deviceOf(request), impersonatedBy: session.impersonated_by ?? undefined }
      return {
        signInMethod: session.sign_in_method,
        provedAt: session.proved_at,
        ...(session.impersonated_by !== null && {
          rejectImpersonated() {
            const details = { deed: 'handover', reason: 'impersonated' }
            const about = { actor: cached.view.user, target: session.user_id, device, details }
            return recordAudit(ctx, { event: 'authz_denied', outcome: 'failure', ...about })
          },
        }),
        shareCookie(reply, returnTo) {
          const application = findReturnAddress(ctx, returnTo)?.application
          if (application && session.impersonated_by === null)
            ctx.usage.counterOf('application', application.id).count += 1
          if (ctx.config.SESSION_COOKIE_DOMAIN !== undefined)
            setCookieFor(ctx, reply, { sessionToken, view: cached.view })
        },
        async issueCode(target) {
          const { code } = await transact(ctx, (tx) => issueHandoverCode(tx, { session, device, ...target }))
          return code
        },
      }
    } catch (error) {
      if (error instanceof AppError && error.status === 401) return undefined
      throw error
    }
  }
