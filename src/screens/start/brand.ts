import type { Context } from '../../context.ts'
import { anyone } from '../../http/access/access.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { minute, second } from '../../lib/time.ts'
import { accentsOf, themeOf } from '../../ui/shared/theme.ts'
import { BrandRoute } from './brand-schemas.ts'

export const brandRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      '/auth/brand',
      { schema: BrandRoute, config: { access: anyone, limit: 'read' } },
      async (_request, reply) => {
        reply.header('cache-control', `public, max-age=${(5 * minute) / second}`)
        const { APP_NAME, APP_ACCENT, PUBLIC_URL, SUPPORT_URL = null, SUPPORT_EMAIL = null } = ctx.config
        const { logo } = themeOf(ctx.config)
        return {
          success: true as const,
          name: APP_NAME,
          accent: accentsOf(APP_ACCENT),
          logo: logo
            ? { url: PUBLIC_URL + logo.src, width: logo.width, height: logo.height, contains_name: logo.saysName }
            : null,
          support_url: SUPPORT_URL,
          support_email: SUPPORT_EMAIL,
        }
      },
    )
  }
