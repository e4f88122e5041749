import type { Context } from '../../../context.ts'
import { anyone } from '../../../http/access/access.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { AppError } from '../../../lib/errors.ts'
import { fromBrowser } from '../../../sessions/remembered-browsers.ts'
import { setSignInCookies, signInResponse } from '../../../sessions/responses.ts'
import { canUsePasskeys } from './relying-party.ts'
import { PasskeyLoginRoute, PasskeyOptionsRoute } from './schemas.ts'
import { passkeyLogin, startPasskeyLogin } from './sign-in.ts'

const config = { access: anyone, limit: 'login', module: 'two-factor', forEndUsers: true } as const

export const passkeyRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.post('/auth/passkey/login/options', { schema: PasskeyOptionsRoute, config }, async () => {
      assertOffered(ctx)
      const { challengeId, options, expiresIn } = await startPasskeyLogin(ctx)
      return { success: true as const, challenge_id: challengeId, options, expires_in: expiresIn }
    })

    http.post('/auth/passkey/login', { schema: PasskeyLoginRoute, config }, async (request, reply) => {
      assertOffered(ctx)
      const { challenge_id, response, device_id } = request.body
      const created = await passkeyLogin(ctx, {
        challengeId: challenge_id,
        response,
        deviceId: device_id,
        ...fromBrowser(ctx, request),
      })
      setSignInCookies(ctx, reply, created)
      return signInResponse(ctx, created)
    })
  }

function assertOffered({ config }: Context): void {
  if (!config.TWO_FACTOR_METHODS.includes('passkey') || !canUsePasskeys(config)) throw new AppError('NOT_CONFIGURED')
}
