import type { Context } from '../context.ts'
import { iso } from '../lib/time.ts'
import type { CreatedSession } from '../sessions/create-session.ts'
import { pendingResponse, sessionMembers } from '../sessions/responses.ts'
import { adminUser } from '../users/shapes.ts'
import type { SocialProviders } from './create-providers.ts'
import type { StartedFlow } from './flow.ts'
import { knownProviders } from './provider.ts'
import type { findIdentitiesOf } from './queries.ts'

export function socialResponse(
  ctx: Context,
  { sessionToken, view, pending }: CreatedSession,
  more: { provider: string; loginType: 'social_auth' | 'social_auth_api'; is_new_user?: boolean },
) {
  const user = adminUser(ctx, view.user)
  if (pending) return { ...pendingResponse(ctx, sessionToken, view, pending), user, ...more }
  const { sessionId, expiresAt, ...twins } = sessionMembers(ctx, sessionToken, view)
  const both = more.loginType === 'social_auth_api' ? twins : {}
  return { success: true, user, sessionId, expiresAt, ...both, ...more }
}

export const startedResponse = ({ url, flow, expiresIn }: StartedFlow) => ({
  success: true as const,
  url,
  login_url: url,
  flow,
  expires_in: expiresIn,
})

export const frontEnd = ({ config }: Context, result: Record<string, string>): string =>
  `${config.FRONTEND_URL}/login?${new URLSearchParams(result)}`

/** A full session's token is set as a cookie. Only a partial session's token may appear in the URL. */
export const signedInAddress = (ctx: Context, { sessionToken, pending }: CreatedSession, provider: string): string =>
  frontEnd(ctx, {
    social_login: 'success',
    ...(pending && { requires_2fa: 'true', session_id: sessionToken }),
    provider,
  })

export function offeredProviders({ config }: Context, providers: SocialProviders) {
  const offer = (provider: string) => ({
    provider,
    enabled: providers.isEnabled(provider),
    loginUrl: `${config.PUBLIC_URL}/auth/social/${provider}/login`,
    apiLoginUrl: `${config.PUBLIC_URL}/auth/social/${provider}/login-api`,
  })
  return {
    success: true as const,
    // Older clients accept only the six names.
    providers: providers
      .enabled()
      .filter((name) => !config.CLIENT_COMPAT || name !== 'oidc')
      .map(offer),
    allProviders: knownProviders.map(offer),
  }
}

/** The oldest identity is the primary one. */
export const linkedAccounts = (rows: Awaited<ReturnType<typeof findIdentitiesOf>>) =>
  rows.map(({ provider, subject, email, name, picture, linked_at, last_used_at }, index) => ({
    provider,
    provider_user_id: subject,
    email: email ?? '',
    name,
    picture,
    is_primary: index === 0,
    linked_at: iso(linked_at),
    last_used_at: iso(last_used_at),
  }))
