import { signedInAdmin } from '../admin/locked-target.ts'
import type { Context } from '../context.ts'
import { staffReading, staffWith } from '../http/access/access.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { assertRecentProof } from '../sessions/session.ts'
import { changeSettings } from './change-settings.ts'
import { ChangeSettingsRoute, SettingsRoute } from './schemas.ts'
import { showSettings } from './show-settings.ts'

const path = '/auth/admin/settings'

export const settingRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      path,
      { schema: SettingsRoute, config: { access: staffReading('settings:read'), limit: 'admin' } },
      async () => ({
        success: true as const,
        data: await showSettings(ctx),
      }),
    )
    http.put(
      path,
      { schema: ChangeSettingsRoute, config: { access: staffWith('settings:write'), limit: 'admin', largeBody: true } },
      async (request) => {
        assertRecentProof(ctx, request.auth)
        const { locked_out: lockedOut, ...input } = request.body
        const data = await changeSettings(ctx, signedInAdmin(request), { ...input, lockedOut }, request.auth)
        return { success: true as const, data }
      },
    )
  }
