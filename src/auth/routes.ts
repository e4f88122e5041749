import type { Context } from '../context.ts'
import { anyone, bridgeForUsers } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import { replacedSessionsOf } from '../http/cookies/session-cookie.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { invalidField } from '../lib/errors.ts'
import { assertRegistrationAccepted } from '../registration/for-application.ts'
import { isKnownDevice, readConfirmedBrowserCookie } from '../sessions/remembered-browsers.ts'
import { sessionMembers, setSignInCookies, signInResponse } from '../sessions/responses.ts'
import { registeredUser } from '../users/shapes.ts'
import { login } from './login.ts'
import { type RegistrationResult, register } from './register.ts'
import { LoginRoute, RegisterRoute } from './schemas.ts'

export const authRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.post(
      '/auth/login',
      { schema: LoginRoute, config: { access: anyone, limit: 'login', forEndUsers: true } },
      async (request, reply) => {
        const { email, user_name, password, device_id } = request.body
        const identifier = email ?? user_name
        if (!identifier) throw invalidField('email', 'is required: an email address, or user_name')
        const created = await login(ctx, {
          identifier,
          password,
          deviceId: device_id,
          device: deviceOf(request),
          isKnown: (user) => isKnownDevice(request, ctx.config, user, ctx.clock.now()),
          replaces: replacedSessionsOf(request, ctx.config),
          confirmation: readConfirmedBrowserCookie(request, ctx.config),
        })
        setSignInCookies(ctx, reply, created)
        return signInResponse(ctx, created)
      },
    )

    const access = ctx.config.REGISTRATION_REQUIRES_BRIDGE ? bridgeForUsers : anyone
    for (const path of ['/auth/register/public', '/auth/register']) {
      http.post(
        path,
        { schema: RegisterRoute, config: { access, limit: 'registration', forEndUsers: true } },
        async (request, reply) => {
          await assertRegistrationAccepted(ctx, request, request.body.flow)
          const registration = await register(
            ctx,
            request.body,
            deviceOf(request),
            replacedSessionsOf(request, ctx.config),
          )
          // Responses to back ends set no cookies, because the cookies would not reach the browser.
          if (registration.session && access === anyone) {
            setSignInCookies(ctx, reply, registration.session)
          }
          return registrationResponse(ctx, registration)
        },
      )
    }
  }

/** Session members appear both at the top level and in `data` because published clients read one or the other. */
function registrationResponse(ctx: Context, { user, requested, session }: RegistrationResult) {
  if (user && session) {
    const members = sessionMembers(ctx, session.sessionToken, session.view)
    const data = { id: user.id, user: registeredUser(user), ...members }
    return { ...signInResponse(ctx, session, 'Registered'), success: true as const, message: 'Registered', data }
  }
  const message = 'Registered. Open the link in the email or enter its code to verify your email address.'
  const waiting = { is_verified: false, requiresVerification: true }
  if (user && ctx.config.REGISTRATION_REVEAL === 'compat') {
    return { success: true as const, message, data: { id: user.id, user: { ...registeredUser(user), ...waiting } } }
  }
  const shown = {
    email: requested.email,
    name: requested.name ?? '',
    last_name: requested.last_name ?? '',
    user_name: requested.user_name,
    user_type: 'customer',
  }
  return { success: true as const, message, data: { user: { ...shown, ...waiting } } }
}
