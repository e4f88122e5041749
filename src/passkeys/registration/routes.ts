import type { Context } from '../../context.ts'
import { anyone, bridgeForUsers } from '../../http/access/access.ts'
import { deviceOf } from '../../http/access/device.ts'
import { replacedSessionsOf } from '../../http/cookies/session-cookie.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { assertRegistrationAccepted } from '../../registration/for-application.ts'
import { setSignInCookies, signInResponse } from '../../sessions/responses.ts'
import { emailField } from '../../users/fields.ts'
import { readChanges } from '../../users/read-changes.ts'
import { registerByPasskey } from './register.ts'
import * as schemas from './schemas.ts'
import { requestRegistrationCode } from './send-code.ts'
import { startRegistration } from './start.ts'

const path = '/auth/register/passkey'

export const passkeyRegistrationRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const access = ctx.config.REGISTRATION_REQUIRES_BRIDGE ? bridgeForUsers : anyone

    http.post(
      `${path}/code`,
      { schema: schemas.SendRegistrationCodeRoute, config: { access, limit: 'token_login', forEndUsers: true } },
      async (request) => {
        await assertRegistrationAccepted(ctx, request)
        const id = await requestRegistrationCode(ctx, emailField('email', request.body.email), deviceOf(request))
        const message = 'If the address can be registered, a code is on its way.'
        return { success: true as const, message, registration_id: id, expires_in: ctx.config.CODE_TTL / 1000 }
      },
    )

    http.post(
      `${path}/options`,
      { schema: schemas.StartRegistrationRoute, config: { access, limit: 'token_validate', forEndUsers: true } },
      async (request) => {
        await assertRegistrationAccepted(ctx, request)
        const { registration_id: registrationId, code } = request.body
        const { options, expiresIn } = await startRegistration(ctx, { registrationId, code }, deviceOf(request))
        return { success: true as const, options, expires_in: expiresIn }
      },
    )

    http.post(
      path,
      { schema: schemas.RegisterPasskeyRoute, config: { access, limit: 'registration', forEndUsers: true } },
      async (request, reply) => {
        await assertRegistrationAccepted(ctx, request)
        const { registration_id: registrationId, response, device_id: deviceId, ...names } = request.body
        const { name, last_name } = readChanges(ctx, names)
        const { created, recoveryCodes, isSynced } = await registerByPasskey(ctx, {
          registrationId,
          response,
          deviceId,
          name,
          last_name,
          device: deviceOf(request),
          replaces: replacedSessionsOf(request, ctx.config),
        })
        // Responses to back ends set no cookies, because the cookies would not reach the browser.
        if (access === anyone) setSignInCookies(ctx, reply, created)
        const codes = recoveryCodes && { recovery_codes: recoveryCodes }
        return { ...signInResponse(ctx, created, 'Registered'), ...codes, passkey_synced: isSynced }
      },
    )
  }
