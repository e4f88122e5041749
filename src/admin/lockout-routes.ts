import type { Context } from '../context.ts'
import { staffReading, staffWith } from '../http/access/access.ts'
import { viewerOf } from '../http/credentials/authenticate-key.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { aboutUser } from './locked-target.ts'
import { LockoutsRoute, UnlockRoute } from './lockout-schemas.ts'
import { listLockouts, unlockUser } from './lockouts.ts'

export const lockoutRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      '/auth/admin/lockouts',
      { schema: LockoutsRoute, config: { access: staffReading('security:read'), limit: 'admin' } },
      async (request) => ({ success: true as const, data: await listLockouts(ctx, viewerOf(request)) }),
    )

    http.post(
      '/auth/admin/users/:user_id/unlock',
      { schema: UnlockRoute, config: { access: staffWith('users:unlock'), limit: 'admin' } },
      async (request) => {
        await unlockUser(ctx, request.auth, aboutUser(request, request.params))
        return { success: true as const, message: 'The account is not locked.' }
      },
    )
  }
