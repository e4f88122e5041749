import type { Context } from '../context.ts'
import { signedIn } from '../http/access.ts'
import type { Routes } from '../http/create-server.ts'
import { deviceOf } from '../http/device.ts'
import { loginUserWithModules } from '../users/shapes.ts'
import { UpdateProfileRoute } from './schemas.ts'
import { updateProfile } from './update-profile.ts'

export const profileRoutes =
  (ctx: Context): Routes =>
  (http) => {
    for (const path of ['/auth/profile', '/auth/user/me']) {
      http.put(path, { schema: UpdateProfileRoute, config: { access: signedIn, limit: 'write' } }, async (request) => {
        const updated = await updateProfile(ctx, request.auth.user.id, request.body, deviceOf(request))
        const user = loginUserWithModules(ctx, updated)
        return { success: true as const, message: 'Profile updated', user, data: { ...user, user } }
      })
    }
  }
