import type { FastifyReply } from 'fastify'
import type { Context, SessionView } from '../context.ts'
import { clearOwnSessionCookie, ownSessionOf, setSessionCookie } from '../http/cookies/session-cookie.ts'
import { sentenceOf, sessionPending } from '../lib/errors.ts'
import { iso } from '../lib/time.ts'
import { loginUser, loginUserWithModules, maskedLoginUser } from '../users/shapes.ts'
import { confirmationMember } from './columns.ts'
import type { CreatedSession } from './create-session.ts'
import { rememberDevice } from './remembered-browsers.ts'
import { absoluteEnd, expiryOf, isBrowserSession } from './session.ts'

export const expiresAtOf = (ctx: Context, { session, user }: SessionView): string =>
  iso(expiryOf(ctx.config, session, user.user_type))

/** Returns each member in camelCase and in snake_case, because some clients read one spelling and some the other. */
export function sessionMembers(ctx: Context, sessionToken: string, view: SessionView) {
  const expires = expiresAtOf(ctx, view)
  return { sessionId: sessionToken, session_id: sessionToken, expiresAt: expires, expires_at: expires }
}

export const signInResponse = (ctx: Context, { sessionToken, view, pending }: CreatedSession, message = 'Signed in') =>
  pending
    ? pendingResponse(ctx, sessionToken, view, pending)
    : {
        success: true,
        message,
        user: loginUser(ctx, view.user),
        ...sessionMembers(ctx, sessionToken, view),
        requires_2fa: false,
      }

/** The session is partial, so `success` is false although the status is 200. */
export function pendingResponse(
  ctx: Context,
  sessionToken: string,
  view: SessionView,
  pending: NonNullable<CreatedSession['pending']>,
) {
  return {
    success: false,
    requires_2fa: true,
    message: sentenceOf(sessionPending),
    user: pendingUser(ctx, view),
    ...sessionMembers(ctx, sessionToken, view),
    available_methods: pending.methods.map(({ id, method, status, identifier }) => ({
      id,
      method,
      status,
      identifier,
    })),
    verification_sent: pending.sent,
    expires_in: pending.expiresIn,
    ...(pending.passkeyRequired && { passkey_required: true as const }),
  }
}

const pendingUser = (ctx: Context, { session, user }: SessionView) =>
  session.seen_in_url ? maskedLoginUser(ctx, user) : loginUser(ctx, user)

/** Includes the members of modules only if the session token has never appeared in a URL. */
export const pendingUserWithModules = (ctx: Context, { session, user }: SessionView) =>
  session.seen_in_url ? maskedLoginUser(ctx, user) : loginUserWithModules(ctx, user)

export async function pendingView(ctx: Context, sessionToken: string, view: SessionView) {
  const methods = (await ctx.secondFactor.requiredMethods(ctx.db, view.user, view.session.proof)) ?? []
  const expiresIn = Math.max(
    0,
    Math.floor((expiryOf(ctx.config, view.session, view.user.user_type) - ctx.clock.now()) / 1000),
  )
  return pendingResponse(ctx, sessionToken, view, { methods, sent: false, expiresIn })
}

export function sessionSummary(ctx: Context, view: SessionView) {
  const { session } = view
  const expires = expiresAtOf(ctx, view)
  return {
    id: session.id,
    user_id: session.user_id,
    userId: session.user_id,
    expiresAt: expires,
    expires_at: expires,
    lastUsedAt: iso(session.last_used_at),
    ...confirmationMember(session),
  }
}

/** GET /auth/me returns the user as `user` and as `data.user` because some clients read one and some the other. */
export const meResponse = (ctx: Context, sessionToken: string, view: SessionView) => {
  const user = loginUserWithModules(ctx, view.user)
  return { success: true, user, data: { user }, ...sessionMembers(ctx, sessionToken, view) }
}

/** Sets the session cookie and, for full sessions, the known-browser cookie. */
export function setSignInCookies(ctx: Context, reply: FastifyReply, created: CreatedSession): void {
  setCookieFor(ctx, reply, created)
  if (ownSessionOf(reply.request, ctx.config)) clearOwnSessionCookie(reply, ctx.config)
  if (!created.pending) rememberDevice(reply, ctx.config, created.owner, ctx.clock.now())
}

export const endedResponse = (ended: number) => ({
  success: true as const,
  message: ended === 1 ? 'One session ended' : `${ended} sessions ended`,
  data: { ended },
})

/** Does nothing for an application's session, which would become the browser's own, in the domain of SESSION_COOKIE_DOMAIN. */
export function setCookieFor(
  ctx: Context,
  reply: FastifyReply,
  { sessionToken, view }: Pick<CreatedSession, 'sessionToken' | 'view'>,
): void {
  if (!isBrowserSession(view.session)) return
  setSessionCookie(
    reply,
    ctx.config,
    sessionToken,
    absoluteEnd(ctx.config, view.session, view.user.user_type) - ctx.clock.now(),
  )
}
