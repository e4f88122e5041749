import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { bridge } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { applicationMembers } from '../sessions/columns.ts'
import { signInResponse } from '../sessions/responses.ts'
import { authenticationOf } from '../sessions/session.ts'
import { consumeHandoverCode } from './consume-code.ts'
import { RedeemRoute } from './schemas.ts'

/** Attempts per code are limited across all back ends. */
const codeKey = ({ body }: FastifyRequest): string[] | undefined => {
  const code = (body as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? [`handover:${code}`] : undefined
}

export const handoverRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const config = { access: bridge, limit: 'token_validate', endUserKeys: codeKey, forEndUsers: true } as const
    http.post('/auth/bridge/redeem', { schema: RedeemRoute, config }, async (request) => {
      const { code, code_verifier: codeVerifier, return_to: returnTo } = request.body
      const created = await consumeHandoverCode(ctx, {
        code,
        codeVerifier,
        returnTo,
        device: deviceOf(request),
        caller: request.bridgeSecret?.application,
      })
      const { session } = created.view
      return { ...signInResponse(ctx, created), ...authenticationOf(created.view), ...applicationMembers(session) }
    })
  }
