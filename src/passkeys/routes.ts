import type { Context } from '../context.ts'
import { anyone, browserSession, signedIn } from '../http/access/access.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { invalidField } from '../lib/errors.ts'
import { fromBrowser, signInDeviceOf } from '../sessions/remembered-browsers.ts'
import { setSignInCookies, signInResponse } from '../sessions/responses.ts'
import { addPasskey, startAdding } from './add-passkey.ts'
import { assertOffered } from './change-rights.ts'
import { ownPasskeys } from './list-passkeys.ts'
import { startReauthentication } from './reauthenticate.ts'
import { removePasskey } from './remove-passkey.ts'
import { rename } from './rename-passkey.ts'
import * as schemas from './schemas.ts'
import { passkeyLogin, startPasskeyLogin } from './sign-in.ts'
import { requestOffer, startUpgrade } from './upgrade.ts'

export const passkeyLoginRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const options = { access: anyone, limit: 'passkey_options', forEndUsers: true } as const
    http.post('/auth/passkey/login/options', { schema: schemas.PasskeyOptionsRoute, config: options }, async () => {
      assertOffered(ctx)
      const { challengeId, options, expiresIn } = startPasskeyLogin(ctx)
      return { success: true as const, challenge_id: challengeId, options, expires_in: expiresIn }
    })

    const login = { access: anyone, limit: 'login', forEndUsers: true } as const
    http.post('/auth/passkey/login', { schema: schemas.PasskeyLoginRoute, config: login }, async (request, reply) => {
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

export const passkeyRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const path = '/auth/passkeys'
    const write = { access: browserSession, limit: 'write' } as const

    http.get(
      path,
      {
        schema: schemas.ListPasskeysRoute,
        config: { access: signedIn, limit: 'read', whileImpersonating: 'allowed' },
      },
      async ({ auth }) => ({ success: true as const, ...(await ownPasskeys(ctx, auth)) }),
    )

    http.post(`${path}/options`, { schema: schemas.StartAddingRoute, config: write }, async (request) => {
      const { auth, body } = request
      const from = signInDeviceOf(ctx, request)
      if (body.action === 'reauth' && body.current_password !== undefined)
        throw invalidField('current_password', 'is only for the action add')
      const { options, expiresIn } =
        body.action === 'reauth'
          ? await startReauthentication(ctx, auth)
          : await startAdding(ctx, auth, { ...from, currentPassword: body.current_password })
      return { success: true as const, options, expires_in: expiresIn }
    })

    http.post(path, { schema: schemas.AddPasskeyRoute, config: write }, async (request) => {
      const { id, recoveryCodes } = await addPasskey(ctx, request.auth, request.body, signInDeviceOf(ctx, request))
      const codes = recoveryCodes && { recovery_codes: recoveryCodes }
      return { success: true as const, id, message: 'Passkey added', ...codes }
    })

    http.post(`${path}/upgrade/options`, { schema: schemas.StartUpgradeRoute, config: write }, async (request) => {
      const { options, expiresIn } = await startUpgrade(ctx, request.auth, signInDeviceOf(ctx, request).device)
      return { success: true as const, options, expires_in: expiresIn }
    })

    http.post(`${path}/upgrade/offer`, { schema: schemas.PasskeyOfferRoute, config: write }, async ({ auth }) => ({
      success: true as const,
      offer: await requestOffer(ctx, auth),
    }))

    http.put(`${path}/:passkey_id`, { schema: schemas.RenamePasskeyRoute, config: write }, async (request) => {
      await rename(
        ctx,
        request.auth,
        { id: request.params.passkey_id, name: request.body.name },
        signInDeviceOf(ctx, request),
      )
      return { success: true as const, message: 'Passkey renamed' }
    })

    http.delete(`${path}/:passkey_id`, { schema: schemas.RemovePasskeyRoute, config: write }, async (request) => {
      const { current_password: currentPassword, ...proof } = request.body
      const removal = { ...proof, id: request.params.passkey_id, currentPassword }
      await removePasskey(ctx, request.auth, removal, signInDeviceOf(ctx, request))
      return { success: true as const, message: 'Passkey removed' }
    })
  }
