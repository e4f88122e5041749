import type { Context } from '../../context.ts'
import { anyone, browserSession, recoverySession } from '../../http/access/access.ts'
import { deviceOf } from '../../http/access/device.ts'
import { replacedSessionsOf } from '../../http/cookies/session-cookie.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { signInDeviceOf } from '../../sessions/remembered-browsers.ts'
import { sessionMembers, setSignInCookies, signInResponse } from '../../sessions/responses.ts'
import { emailField } from '../../users/fields.ts'
import { listPasskeys } from '../../webauthn/queries.ts'
import { assertOffered } from '../change-rights.ts'
import { regenerateCodes } from '../issue-codes.ts'
import { shownPasskey } from '../list-passkeys.ts'
import { completeRecovery, mayAdd, startRecoveryPasskey } from './add.ts'
import { recover } from './recover.ts'
import * as schemas from './schemas.ts'
import { requestRecoveryCode } from './send-code.ts'

const path = '/auth/recovery'

export const recoveryRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.post(
      `${path}/code`,
      { schema: schemas.SendRecoveryCodeRoute, config: { access: anyone, limit: 'token_login', forEndUsers: true } },
      async (request) => {
        const id = await requestRecoveryCode(ctx, emailField('email', request.body.email), deviceOf(request))
        const message = 'If the account exists and has recovery codes, a code is on its way.'
        return { success: true as const, message, recovery_id: id, expires_in: ctx.config.CODE_TTL / 1000 }
      },
    )

    http.post(
      path,
      { schema: schemas.RecoverRoute, config: { access: anyone, limit: 'token_validate', forEndUsers: true } },
      async (request, reply) => {
        const { recovery_id: recoveryId, code, recovery_code: recoveryCode, device_id: deviceId } = request.body
        const from = { device: deviceOf(request), deviceId, replaces: replacedSessionsOf(request, ctx.config) }
        const created = await recover(ctx, { recoveryId, code, recoveryCode, ...from })
        setSignInCookies(ctx, reply, created)
        const message = 'Add a passkey to finish the recovery'
        const members = sessionMembers(ctx, created.sessionToken, created.view)
        return { success: true as const, message, ...members, expires_in: ctx.config.PARTIAL_SESSION_TTL / 1000 }
      },
    )

    const replace = { access: browserSession, limit: 'write' } as const
    http.post('/auth/recovery-codes', { schema: schemas.RegenerateCodesRoute, config: replace }, async (request) => {
      const { current_password: currentPassword } = request.body
      const codes = await regenerateCodes(ctx, request.auth, currentPassword, signInDeviceOf(ctx, request))
      return { success: true as const, recovery_codes: codes, message: 'Recovery codes replaced' }
    })
  }

/** The only routes that accept the session of a recovery, except for the sign-out. */
export const recoverySessionRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const passkeys = `${path}/passkeys`
    const read = { access: recoverySession, limit: 'read' } as const
    http.get(passkeys, { schema: schemas.ListForRecoveryRoute, config: read }, async ({ auth }) => {
      assertOffered(ctx)
      const { user, session } = auth
      const recovery = session.proof === 'recovery'
      return {
        success: true as const,
        recovery,
        can_add: await mayAdd(ctx, auth),
        email: user.email,
        // Other sessions than that of a recovery have proven less, and cannot remove passkeys.
        passkeys: recovery ? (await listPasskeys(ctx.db, user.id)).map(shownPasskey) : [],
      }
    })

    const write = { access: recoverySession, limit: 'write' } as const
    http.post(`${passkeys}/options`, { schema: schemas.StartRecoveryPasskeyRoute, config: write }, async (request) => {
      const { options, expiresIn } = await startRecoveryPasskey(ctx, request.auth, deviceOf(request))
      return { success: true as const, options, expires_in: expiresIn }
    })

    http.post(passkeys, { schema: schemas.CompleteRecoveryRoute, config: write }, async (request, reply) => {
      const { response, name, remove = [] } = request.body
      const completion = { response, name, remove, device: deviceOf(request) }
      const { created, recoveryCodes } = await completeRecovery(ctx, request.auth, completion)
      setSignInCookies(ctx, reply, created)
      const codes = recoveryCodes && { recovery_codes: recoveryCodes }
      return { ...signInResponse(ctx, created, 'Passkey added'), ...codes }
    })
  }
