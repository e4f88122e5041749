import type { Context } from '../../context.ts'
import { anyone } from '../../http/access/access.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { fromBrowser } from '../../sessions/remembered-browsers.ts'
import { setSignInCookies, signInResponse } from '../../sessions/responses.ts'
import { PasskeyLinkRoute } from './schemas.ts'
import { signInByPasskeyLink } from './sign-in.ts'

export const passkeyLinkRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const config = { access: anyone, limit: 'token_validate', forEndUsers: true } as const
    http.post('/auth/passkey/link', { schema: PasskeyLinkRoute, config }, async (request, reply) => {
      const { token } = request.body
      const created = await signInByPasskeyLink(ctx, { token, ...fromBrowser(ctx, request) })
      setSignInCookies(ctx, reply, created)
      return signInResponse(ctx, created)
    })
  }
