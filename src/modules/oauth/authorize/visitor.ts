import type { FastifyRequest } from 'fastify'
import type { Context, FoundSession, ReadView } from '../../../context.ts'
import { onlyCookie } from '../../../http/cookies/cookies.ts'
import { effectiveScopes } from '../../../http/credentials/scopes.ts'
import { AppError } from '../../../lib/errors.ts'
import { loadFromCookie } from '../../../sessions/authenticate.ts'
import { hasConfirmation } from '../../../sessions/columns.ts'
import { isBrowserSession } from '../../../sessions/session.ts'
import { isOidcScope } from '../oidc-scopes.ts'

/** The user of the browser, from the database. */
export interface Visitor extends Pick<FoundSession, 'roles'> {
  session: ReadView['session']
  user: ReadView['user']
  /** When the user last proved who they are, in milliseconds since 1970. */
  provedAt: number
  /** Whether a second factor confirmed the session. */
  isConfirmed: boolean
  isImpersonated: boolean
  /** Those of the scopes that the user may pass on. */
  mayGrant(scopes: readonly string[]): string[]
  /** Whether the user has the permission of an application. */
  hasPermission(permission: string): boolean
}

/** Undefined if the browser has no session, or one that has ended, is partial, or belongs to an application. */
export async function findVisitor(ctx: Context, request: FastifyRequest): Promise<Visitor | undefined> {
  const sessionToken = onlyCookie(request.headers.cookie, ctx.config.SESSION_COOKIE_NAME)
  if (sessionToken === undefined) return undefined
  try {
    const { cached, roles } = await loadFromCookie(ctx, sessionToken, request)
    const { session } = cached.view
    if (session.status !== 'active' || !isBrowserSession(session)) return undefined
    ctx.sessions.noteUse(cached, ctx.clock.now())
    return visitorOf(ctx, cached.view, roles)
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return undefined
    throw error
  }
}

function visitorOf(ctx: Context, { session, user, grants }: ReadView, roles: FoundSession['roles']): Visitor {
  return {
    ...{ session, user, roles },
    provedAt: session.proved_at.getTime(),
    isConfirmed: hasConfirmation(session),
    isImpersonated: session.impersonated_by !== null,
    mayGrant: (scopes) => [
      ...scopes.filter(isOidcScope),
      ...effectiveScopes(
        ctx,
        { user, grants, scopes: scopes.filter((scope) => !isOidcScope(scope)) },
        { roles, applicationId: undefined },
      ),
    ],
    hasPermission: (permission) => roles.of(grants.ids)?.has(permission) === true,
  }
}
