import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { anyone, anyoneOrBridge, bridge } from '../http/access/access.ts'
import { deviceOf, endUserDevice } from '../http/access/device.ts'
import { isFormPost } from '../http/parsing/form-body.ts'
import { mailTarget } from '../http/responses/redirects.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { AppError, invalidField, sentenceOf, sessionPending } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { isRegistrationAccepted, isRegistrationAcceptedAt } from '../registration/for-application.ts'
import { fromBrowser } from '../sessions/remembered-browsers.ts'
import { expiresAtOf, setSignInCookies, signInResponse } from '../sessions/responses.ts'
import { loginFormPath } from '../ui/shared/form-token.ts'
import { emailField, phoneField } from '../users/fields.ts'
import { tokenUser } from '../users/shapes.ts'
import { type CompletedLogin, completeLogin } from './complete-login.ts'
import { completeLoginFromPage } from './page.ts'
import { assertEnabled, endUserKeys, isCompletion, presentedIn } from './presented.ts'
import {
  type TokenLoginBody,
  TokenLoginRoute,
  type ValidateMembers,
  ValidateTokenLinkRoute,
  ValidateTokenRoute,
} from './schemas.ts'
import { type LoginMethod, requestLogin } from './send-login.ts'

export const tokenRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const throughBridge = ctx.config.TOKEN_LOGIN_REQUIRES_BRIDGE

    async function ask(request: FastifyRequest, body: TokenLoginBody) {
      const { contact, method } = contactOf(ctx, body)
      if (method === 'sms' && !ctx.sms.isConfigured) throw new AppError('NOT_CONFIGURED')
      const target = mailTarget(ctx, body.redirect_url) ?? `${ctx.config.FRONTEND_URL}/login`
      const id = newId()
      const device = throughBridge ? endUserDevice(request, body) : deviceOf(request)
      const registers = isRegistrationAccepted(ctx, request) && isRegistrationAcceptedAt(ctx, target)
      await requestLogin(ctx, { id, contact, method, target, device, registers })
      const message = 'If the account exists, a link and a code are on their way.'
      return { success: true as const, message, token_id: id, method, expires_in: ctx.config.LOGIN_LINK_TTL / 1000 }
    }

    async function redeem(request: FastifyRequest, reply: FastifyReply, body: TokenLoginBody) {
      const { created, isPasswordRemoved } = await completeLogin(ctx, {
        presented: presentedIn(body),
        deviceId: body.device_id,
        registers: isRegistrationAccepted(ctx, request),
        ...(throughBridge ? { device: endUserDevice(request, body) } : fromBrowser(ctx, request)),
      })
      // Responses to back ends set no cookies.
      if (!throughBridge) setSignInCookies(ctx, reply, created)
      return { ...signInResponse(ctx, created), ...(isPasswordRemoved && { password_removed: true as const }) }
    }

    for (const path of [loginFormPath, '/auth/token/create']) {
      const config = {
        access: throughBridge ? bridge : anyone,
        limit: 'token_login',
        limitFor: ({ body }: FastifyRequest) => (isCompletion(body) ? 'token_validate' : undefined),
        // All of a back end's users share one IP address, so the limits apply per end user.
        endUserKeys,
        forEndUsers: true,
        form: path === loginFormPath,
      } as const
      http.post(path, { schema: TokenLoginRoute, config }, async (request, reply) => {
        assertEnabled(ctx.config)
        const { body } = request
        if (isFormPost(request)) return completeLoginFromPage(ctx, body, request, reply)
        return isCompletion(body) ? redeem(request, reply, body) : ask(request, body)
      })
    }

    const limits = { limit: 'token_validate', endUserKeys, forEndUsers: true } as const
    http.post(
      '/auth/token/validate',
      { schema: ValidateTokenRoute, config: { access: bridge, ...limits } },
      async (request) => {
        const { body, query } = request
        if (body.token !== undefined && query.token !== undefined && body.token !== query.token)
          throw invalidField('token', 'is given in the body and in the query with different values')
        return validated(ctx, await validate(request, { ...query, ...body }))
      },
    )

    // There is no HEAD route, because a HEAD request would consume the token.
    const access = ctx.config.CLIENT_COMPAT ? anyoneOrBridge : bridge
    const forPrograms = { schema: ValidateTokenLinkRoute, config: { access, ...limits }, exposeHeadRoute: false }
    http.get('/auth/token/validate', forPrograms, async (request) => {
      const redeemed = await validate(request, request.query)
      const { created, tokenId, method } = redeemed
      const more = { tokenType: method, token_id: tokenId, expires_at: expiresAtOf(ctx, created.view) }
      return { ...validated(ctx, redeemed), ...(ctx.config.CLIENT_COMPAT && more) }
    })

    function validate(request: FastifyRequest, members: ValidateMembers): Promise<CompletedLogin> {
      assertEnabled(ctx.config)
      const isBackEnd = request.headers['x-bridge-secret'] !== undefined
      return completeLogin(ctx, {
        presented: presentedIn(members),
        registers: isRegistrationAccepted(ctx, request),
        device: isBackEnd ? endUserDevice(request, members) : deviceOf(request),
        deviceId: members.device_id,
      })
    }
  }

function contactOf(
  { config }: Context,
  { identifier, type }: TokenLoginBody,
): { contact: string; method: LoginMethod } {
  if (identifier === undefined) throw invalidField('identifier', 'is required: an email address or a phone number')
  const method = type === undefined ? (identifier.includes('@') ? 'email' : 'sms') : type === 'email' ? 'email' : 'sms'
  return method === 'email'
    ? { method, contact: emailField('identifier', identifier) }
    : { method, contact: phoneField('identifier', identifier, config) }
}

function validated(ctx: Context, { created }: CompletedLogin) {
  const { sessionToken, view, pending } = created
  return {
    success: !pending,
    message: pending ? sentenceOf(sessionPending) : 'Signed in',
    user: tokenUser(view.user),
    sessionId: sessionToken,
    expiresAt: expiresAtOf(ctx, view),
    ...(pending && { requires_2fa: true, available_methods: pending.methods }),
  }
}
