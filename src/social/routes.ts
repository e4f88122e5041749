import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { anyone, browserSession, signedIn, signedInToLink, visitor } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import { namesHtml, wantsPage } from '../http/responses/wants-page.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { AppError } from '../lib/errors.ts'
import { proveIdentity } from '../passwords/prove-identity.ts'
import { isRegistrationAccepted } from '../registration/for-application.ts'
import { fromBrowser, signInDeviceOf } from '../sessions/remembered-browsers.ts'
import { setSignInCookies } from '../sessions/responses.ts'
import { beginFlow } from '../ui/flow/begin-flow.ts'
import { flowOf, keepFlow } from '../ui/flow/flow-cookies.ts'
import { asksForSignIn, type SignInQuery } from '../ui/flow/sign-in-request.ts'
import { signInApp } from './app-sign-in.ts'
import { handleCallback, redirectRejection } from './callback.ts'
import { createProviders } from './create-providers.ts'
import { type StartedFlow, startFlow } from './flow.ts'
import { setFlowCookie } from './flow-cookie.ts'
import { findIdentitiesOf } from './queries.ts'
import { recordingRejectedSignIn } from './rejection.ts'
import { linkedAccounts, offeredProviders, socialResponse, startedResponse } from './responses.ts'
import * as schemas from './schemas.ts'
import { unlink } from './unlink.ts'

const base = '/auth/social'

export const socialRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const providers = createProviders(ctx)

    http.get(
      `${base}/providers`,
      { schema: schemas.ProvidersRoute, config: { access: anyone, limit: 'read' } },
      async () => offeredProviders(ctx, providers),
    )

    // HEAD is not supported, because these GET requests start and end flows. Errors are shown to browsers as pages.
    const visit = { limit: 'social_login', limitForPages: 'social_login' } as const
    const login = {
      schema: schemas.SocialLoginRoute,
      config: { access: signedInToLink, ...visit },
      exposeHeadRoute: false,
    }
    http.get(`${base}/:provider/login`, login, async (request, reply) => {
      const connection = providers.get(request.params.provider)
      const link = request.query.link ? await linkFor(ctx, request) : undefined
      const format = wantsPage(request) ? 'web' : 'json'
      const isVisit = format === 'web' && namesHtml(request) && !link
      const signIn = isVisit ? await signInFlowOf(ctx, request, reply) : undefined
      if (signIn && 'refused' in signIn) return signIn.refused
      const start = { format, link, signInFlow: signIn?.id } as const
      const started = await begin(ctx, request, reply, () => startFlow(ctx, connection, start))
      // A script cannot follow redirects to other sites, so the response contains the URL instead.
      return format === 'web' && namesHtml(request) ? reply.redirect(started.url, 302) : startedResponse(started)
    })

    http.post(
      `${base}/:provider/link`,
      { schema: schemas.LinkRoute, config: { access: browserSession, limit: 'write' } },
      async (request, reply) => {
        const connection = providers.get(request.params.provider)
        const { format = 'web', current_password } = request.body
        const link = await linkFor(ctx, request, current_password)
        return startedResponse(await begin(ctx, request, reply, () => startFlow(ctx, connection, { format, link })))
      },
    )

    const callback = { schema: schemas.CallbackRoute, config: { access: visitor, ...visit }, exposeHeadRoute: false }
    http.get(
      `${base}/:provider/callback`,
      { ...callback, errorHandler: redirectRejection(ctx, providers) },
      async (request, reply) => handleCallback(ctx, providers.get(request.params.provider), request, reply),
    )

    const form = { access: anyone, limit: 'social_login', form: true, hidden: true } as const
    http.post(
      `${base}/:provider/callback`,
      { schema: schemas.FormCallbackRoute, config: form },
      async (request, reply) => {
        const { file } = providers.get(request.params.provider)
        if (file.parameters?.response_mode !== 'form_post') throw new AppError('METHOD_NOT_ALLOWED')
        const credentials = Object.entries(request.body).filter(([, value]) => value !== undefined)
        const query = new URLSearchParams(Object.fromEntries(credentials))
        return reply.redirect(`${ctx.config.PUBLIC_URL}${base}/${file.name}/callback?${query}`, 303)
      },
    )

    http.post(
      `${base}/:provider/login-api`,
      { schema: schemas.AppLoginRoute, config: { access: anyone, limit: 'social_api', forEndUsers: true } },
      async (request, reply) => {
        const connection = providers.get(request.params.provider)
        const { device_id: deviceId, ...credentials } = request.body
        const browser = {
          ...fromBrowser(ctx, request),
          deviceId,
          inAddress: false,
          registers: isRegistrationAccepted(ctx, request),
        }
        const provider = connection.file.name
        const work = () => signInApp(ctx, connection, credentials, browser)
        const { created, isNewUser } = await recordingRejectedSignIn(ctx, provider, browser.device, work)
        setSignInCookies(ctx, reply, created)
        return socialResponse(ctx, created, { provider, loginType: 'social_auth_api', is_new_user: isNewUser })
      },
    )

    http.get(
      `${base}/accounts`,
      { schema: schemas.AccountsRoute, config: { access: signedIn, limit: 'read', whileImpersonating: 'allowed' } },
      async ({ auth }) => ({
        success: true as const,
        accounts: linkedAccounts(await findIdentitiesOf(ctx.db, auth.user.id)),
      }),
    )

    http.delete(
      `${base}/accounts/:provider`,
      { schema: schemas.UnlinkRoute, config: { access: browserSession, limit: 'write' } },
      async (request) => {
        const { auth, params, body } = request
        const currentPassword = body.current_password
        await unlink(ctx, auth, { ...params, currentPassword, ...signInDeviceOf(ctx, request) })
        return { success: true as const, message: 'Identity removed' }
      },
    )
  }

async function signInFlowOf(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ id: string | undefined } | { refused: FastifyReply }> {
  if (!asksForSignIn(request.query as SignInQuery)) return { id: flowOf(ctx, request)?.id }
  const started = await beginFlow(ctx, request, reply)
  if ('refused' in started) return started
  keepFlow(ctx, request, reply, started.flow)
  return { id: started.flow.id }
}

async function linkFor(ctx: Context, request: FastifyRequest, currentPassword?: string) {
  const { auth } = request
  await proveIdentity(ctx, auth, { ...signInDeviceOf(ctx, request), currentPassword })
  return { userId: auth.user.id, sessionId: auth.session.id }
}

async function begin(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  start: () => Promise<StartedFlow>,
): Promise<StartedFlow> {
  const { provider } = request.params as { provider: string }
  const started = await recordingRejectedSignIn(ctx, provider, deviceOf(request), start)
  setFlowCookie(reply, ctx.config, started.flow, started.expiresIn)
  return started
}
