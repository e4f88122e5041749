import type { FastifyRequest } from 'fastify'
import type { Context, UserRow } from '../context.ts'
import { pendingChange } from '../email-addresses/change-schemas.ts'
import { signedIn, signedInReading, signedInWriting } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import { clearSessionCookie } from '../http/cookies/session-cookie.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { AppError } from '../lib/errors.ts'
import { iso } from '../lib/time.ts'
import { signInDeviceOf } from '../sessions/remembered-browsers.ts'
import { ProfileRoute } from '../users/profile-schemas.ts'
import { findUserWithPassword, withoutPassword } from '../users/queries.ts'
import type { UserMembersInput } from '../users/read-changes.ts'
import { loginUserWithModules } from '../users/shapes.ts'
import { deleteOwnUser } from './delete-own-user.ts'
import { exportOwnData } from './export-data.ts'
import { DeleteOwnRoute, personalDataExportRoute, UpdateProfileRoute } from './schemas.ts'
import { updateProfileByKey } from './update-by-key.ts'
import { type ProfileInput, type Updated, updateProfile } from './update-profile.ts'

export const profileRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      '/auth/profile',
      { schema: ProfileRoute, config: { access: signedInReading, limit: 'read', whileImpersonating: 'allowed' } },
      async ({ auth, key }) => ({ success: true as const, data: await ownProfile(ctx, key?.view.user ?? auth.user) }),
    )

    for (const path of ['/auth/profile', '/auth/user/me']) {
      http.put(
        path,
        { schema: UpdateProfileRoute, config: { access: signedInWriting, limit: 'write' } },
        async (request) => {
          const { user: updated, pending } = await update(ctx, request, request.body)
          const user = loginUserWithModules(ctx, updated)
          const members = { user, ...(pending && { email_change: pendingChange(pending) }) }
          return { success: true as const, message: 'Profile updated', ...members, data: { ...user, ...members } }
        },
      )
    }

    http.get(
      '/auth/user/me/export',
      { schema: personalDataExportRoute(ctx.modules), config: { access: signedIn, limit: 'export' } },
      async (request) => ({
        success: true as const,
        data: await exportOwnData(ctx, request.auth, deviceOf(request)),
      }),
    )

    http.delete(
      '/auth/user/me',
      { schema: DeleteOwnRoute, config: { access: signedIn, limit: 'write' } },
      async (request, reply) => {
        const { current_password: currentPassword, reason } = request.body
        const until = await deleteOwnUser(ctx, request.auth, {
          ...signInDeviceOf(ctx, request),
          currentPassword,
          reason,
        })
        clearSessionCookie(reply, ctx.config)
        return { success: true as const, message: 'Account deleted', data: { restorable_until: iso(until) } }
      },
    )
  }

async function update(ctx: Context, request: FastifyRequest, body: UserMembersInput & ProfileInput): Promise<Updated> {
  if (!request.key) return updateProfile(ctx, request.auth, body, signInDeviceOf(ctx, request))
  return { user: await updateProfileByKey(ctx, request.key, body, deviceOf(request)), pending: undefined }
}

async function ownProfile(ctx: Context, { id }: Pick<UserRow, 'id'>) {
  const found = await findUserWithPassword(ctx, id)
  if (!found) throw new AppError('INVALID_SESSION')
  const user = withoutPassword(found)
  return {
    user: loginUserWithModules(ctx, user),
    phone: user.phone ?? '',
    lang: user.lang,
    has_password: ctx.config.PASSWORDS_ENABLED && found.password_hash !== null,
  }
}
