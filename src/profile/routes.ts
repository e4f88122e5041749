import type { Context } from '../context.ts'
import { pendingChange } from '../email/change-reply.ts'
import { signedIn } from '../http/access.ts'
import type { Routes } from '../http/create-server.ts'
import { fromOf } from '../sessions/known-device.ts'
import { loginUserWithModules } from '../users/shapes.ts'
import { UpdateProfileRoute } from './schemas.ts'
import { updateProfile } from './update-profile.ts'

export const profileRoutes =
  (ctx: Context): Routes =>
  (http) => {
    for (const path of ['/auth/profile', '/auth/user/me']) {
      http.put(path, { schema: UpdateProfileRoute, config: { access: signedIn, limit: 'write' } }, async (request) => {
        const { user: updated, pending } = await updateProfile(ctx, request.auth, request.body, fromOf(ctx, request))
        const user = loginUserWithModules(ctx, updated)
        const members = { user, ...(pending && { email_change: pendingChange(pending) }) }
        return { success: true as const, message: 'Profile updated', ...members, data: { ...user, ...members } }
      })
    }
  }
