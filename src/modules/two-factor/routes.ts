import { aboutUser } from '../../admin/locked-target.ts'
import type { Context } from '../../context.ts'
import { anyone, browserSession, signedIn, signedInOrPending, staffWithReauth } from '../../http/access/access.ts'
import { deviceOf } from '../../http/access/device.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { signInDeviceOf } from '../../sessions/remembered-browsers.ts'
import { setSignInCookies } from '../../sessions/responses.ts'
import { ResetRoute } from './admin-schemas.ts'
import { rememberBrowser } from './confirmed-browser.ts'
import { MethodsRoute, RegenerateRoute, SystemRoute } from './method-schemas.ts'
import { offeredKinds } from './methods/index.ts'
import { regenerateRecoveryCodes } from './regenerate.ts'
import { removeMethod } from './remove.ts'
import { resetByAdmin } from './reset-by-admin.ts'
import { listedMethod, startedSetupResponse, toggleResponse, verifyResponse } from './responses.ts'
import * as schemas from './schemas.ts'
import { setUpMethod } from './set-up.ts'
import { startFactor } from './start.ts'
import { turnOff, turnOn } from './toggle.ts'
import { userMethodsOf } from './user-methods.ts'
import { verifyFactor } from './verify.ts'

const base = '/auth/two_factor'
const module = 'two-factor'

export const twoFactorRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    // Tells sign-in pages whether the module can be used, so the route works even if the module is not installed.
    http.get(`${base}/system`, { schema: SystemRoute, config: { access: anyone, limit: 'read' } }, async () => {
      const isOn = ctx.modules.rejectionOf({ id: module, component: 'core' }) === undefined
      return {
        success: true as const,
        global_two_factor_enabled: isOn,
        available_methods: isOn ? offeredKinds(ctx) : [],
      }
    })

    http.get(
      `${base}/methods`,
      {
        schema: MethodsRoute,
        config: { access: signedIn, limit: 'read', whileImpersonating: 'allowed', module },
      },
      async ({ auth }) => ({
        success: true as const,
        methods: (await userMethodsOf(ctx, auth.user.id)).map(listedMethod),
      }),
    )

    http.post(
      `${base}/:method/setup`,
      { schema: schemas.SetUpMethodRoute, config: { access: browserSession, limit: 'token_login', module } },
      async (request) => {
        const { auth, body, params } = request
        const started = await setUpMethod(ctx, auth, { kind: params.method, ...body }, signInDeviceOf(ctx, request))
        return { ...startedSetupResponse(started), status: 'pending_setup' as const }
      },
    )

    http.post(
      `${base}/:method/start`,
      {
        schema: schemas.StartFactorRoute,
        config: { access: signedInOrPending, limit: 'token_login', module, forEndUsers: true },
      },
      async (request) => {
        const { auth, body, params } = request
        return startedSetupResponse(await startFactor(ctx, auth, { kind: params.method, ...body }, deviceOf(request)))
      },
    )

    http.post(
      `${base}/verify`,
      {
        schema: schemas.VerifyFactorRoute,
        config: { access: signedInOrPending, limit: 'token_validate', module, forEndUsers: true },
      },
      async (request, reply) => {
        const { remember_device, ...proof } = request.body
        const verified = await verifyFactor(ctx, request.auth, proof, signInDeviceOf(ctx, request))
        if (verified.created) setSignInCookies(ctx, reply, verified.created)
        if (verified.created && !verified.created.pending && remember_device)
          await rememberBrowser(ctx, reply, verified.created)
        return verifyResponse(ctx, request.auth, verified)
      },
    )

    const write = { access: browserSession, limit: 'write', module } as const

    http.post(`${base}/toggle`, { schema: schemas.ToggleRoute, config: write }, async (request) => {
      const { auth, body } = request
      const input = { currentPassword: body.current_password, proof: proofIn(body) }
      const active = await (body.enabled ? turnOn : turnOff)(ctx, auth, input, signInDeviceOf(ctx, request))
      return toggleResponse(body.enabled, active)
    })

    http.delete(`${base}/:method_id`, { schema: schemas.RemoveRoute, config: write }, async (request) => {
      await removeMethod(
        ctx,
        request.auth,
        { id: request.params.method_id, proof: proofIn(request.body) },
        signInDeviceOf(ctx, request),
      )
      return { success: true as const, message: 'Method removed' }
    })

    http.post(`${base}/recovery/regenerate`, { schema: RegenerateRoute, config: write }, async (request) => {
      const { auth, body } = request
      const codes = await regenerateRecoveryCodes(ctx, auth, body.current_password, signInDeviceOf(ctx, request))
      return {
        success: true as const,
        recovery_codes: codes,
        message: 'Save these codes. Your previous codes no longer work.',
      }
    })
  }

interface Verification {
  verification_code?: string
  verification_method_id?: string
}

const proofIn = ({ verification_code, verification_method_id }: Verification) => ({
  code: verification_code,
  method_id: verification_method_id,
})

const config = { access: staffWithReauth('users:reset_factors'), limit: 'admin', module: 'two-factor' } as const

export const twoFactorAdminRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const path of ['/auth/admin/users', '/auth/users']) {
      http.delete(`${path}/:user_id/two_factor`, { schema: ResetRoute, config }, async (request) => {
        await resetByAdmin(ctx, aboutUser(request, request.params))
        return { success: true as const, message: 'Second factors removed' }
      })
    }
  }
