import type { FastifyReply } from 'fastify'
import { minPasswordLength, passwordRuleOf } from '../config/password-rules.ts'
import type { Context } from '../context.ts'
import { anyone, signedIn, visitor } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import { replacedSessionsOf } from '../http/cookies/session-cookie.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { iso } from '../lib/time.ts'
import { type MailedProof, mailedProofIn } from '../one-time-tokens/mailed-code.ts'
import type { CreatedSession } from '../sessions/create-session.ts'
import { rememberDevice, signInDeviceOf } from '../sessions/remembered-browsers.ts'
import { setSignInCookies, signInResponse } from '../sessions/responses.ts'
import { emailField } from '../users/fields.ts'
import { changeOwnPassword } from './change-own.ts'
import { completeReset, isUsableReset } from './complete-reset.ts'
import { brokenRule, normalPassword } from './policy.ts'
import { assertOneProof, reauthenticate, reauthenticateByFactor } from './reauthenticate.ts'
import { requestReset } from './request-reset.ts'
import * as schemas from './schemas.ts'

export const passwordRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.post(
      '/auth/password-reset/request',
      { schema: schemas.RequestResetRoute, config: { access: anyone, limit: 'token_login', forEndUsers: true } },
      async (request) => {
        const { email, reset_url } = request.body
        await requestReset(ctx, { email: emailField('email', email), resetUrl: reset_url, device: deviceOf(request) })
        return {
          success: true as const,
          message: 'If an account with this email address exists, an email is on its way.',
        }
      },
    )

    const byLink = { access: anyone, limit: 'token_validate', forEndUsers: true } as const
    const path = '/auth/password-reset/validate'
    http.post(path, { schema: schemas.ValidateResetRoute, config: byLink }, ({ body }) => validity(ctx, proofIn(body)))
    http.get(path, { schema: schemas.ValidateResetByQueryRoute, config: byLink }, ({ query }) => validity(ctx, query))
    http.get(`${path}/:token`, { schema: schemas.ValidateResetByPathRoute, config: byLink }, ({ params }) =>
      validity(ctx, params),
    )

    for (const path of ['/auth/password-reset/complete', '/auth/password-reset/reset']) {
      http.post(path, { schema: schemas.CompleteResetRoute, config: byLink }, async (request, reply) => {
        const { password, ...shown } = request.body
        const proof = proofIn(shown)
        const replaces = replacedSessionsOf(request, ctx.config)
        const created = await completeReset(ctx, { proof, password, device: deviceOf(request), replaces })
        const message = password === undefined ? 'Signed in' : passwordIsSet
        return created ? signedInBy(ctx, reply, created, message) : { success: true, message }
      })
    }

    http.post(
      '/auth/password-check',
      { schema: schemas.CheckRoute, config: { access: visitor, limit: 'read' } },
      async ({ auth, body: { password, email = '' } }) => {
        const broken = await brokenRule(ctx.config, normalPassword(password), auth?.user ?? { email })
        const rule = broken === undefined ? null : (passwordRuleOf(broken, minPasswordLength(ctx.config)) ?? null)
        return { success: true as const, accepted: !broken, rule, message: `Password ${broken ?? 'accepted'}` }
      },
    )

    http.post(
      '/auth/password-change/self',
      { schema: schemas.ChangeOwnRoute, config: { access: signedIn, limit: 'write' } },
      async (request, reply) => {
        const { auth, body } = request
        const owner = await changeOwnPassword(ctx, {
          view: auth,
          current: body.current_password,
          password: body.new_password,
          ...signInDeviceOf(ctx, request),
        })
        rememberDevice(reply, ctx.config, owner, ctx.clock.now())
        return { success: true as const, message: 'Password changed. All other sessions have ended.' }
      },
    )

    http.post(
      '/auth/reauthenticate',
      { schema: schemas.ReauthenticateRoute, config: { access: signedIn, limit: 'write' } },
      async (request) => {
        const { auth, body } = request
        const { password, ...factor } = body
        const from = signInDeviceOf(ctx, request)
        assertOneProof(password, factor)
        const until =
          password === undefined
            ? await reauthenticateByFactor(ctx, auth, factor, from.device)
            : await reauthenticate(ctx, { view: auth, password, ...from })
        return { success: true as const, message: 'Thank you', valid_until: iso(until) }
      },
    )
  }

const passwordIsSet = 'Password set. You can now sign in with it.'

const proofIn = (members: Parameters<typeof mailedProofIn>[0]): MailedProof =>
  mailedProofIn(members, (text) => emailField('email', text))

async function validity(ctx: Context, proof: MailedProof) {
  const valid = await isUsableReset(ctx, proof)
  const [what, refused] =
    'token' in proof ? (['link', 'Invalid or expired token'] as const) : (['code', 'Invalid or expired code'] as const)
  return { success: true as const, valid, message: valid ? `The ${what} is valid` : refused }
}

function signedInBy(ctx: Context, reply: FastifyReply, created: CreatedSession, message: string) {
  setSignInCookies(ctx, reply, created)
  return signInResponse(ctx, created, message)
}
