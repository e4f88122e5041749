import { isWordMark } from '../../config/branding.ts'
import type { Context } from '../../context.ts'
import { logoHeaders } from '../../http/responses/response-headers.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { day, second } from '../../lib/time.ts'
import { readByAnyone } from '../../ui/shared/declare-pages.ts'
import { AppleIconRoute, FaviconRoute, RobotsRoute } from '../../ui/shared/schemas.ts'
import { defaultMark } from './default-mark.ts'

const cacheControl = `public, max-age=${day / second}`

/** The files that browsers and crawlers request without a link. */
export const siteFileRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const { path, schema, types } of icons)
      http.get(path, { schema, config: readByAnyone }, (_request, reply) => {
        const { APP_LOGO: logo } = ctx.config
        const isUsed = logo && !isWordMark(logo) && types.includes(logo.type)
        const { type, bytes } = isUsed ? logo : { type: 'image/png', bytes: defaultMark }
        logoHeaders(reply, type, false)
        return reply.header('cache-control', cacheControl).send(bytes)
      })
    http.get('/robots.txt', { schema: RobotsRoute, config: readByAnyone }, (_request, reply) => {
      const rules = ['User-agent: *', ...ctx.modules.crawlRules(ctx.config), 'Disallow: /']
      reply.headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': cacheControl })
      return reply.send(`${rules.join('\n')}\n`)
    })
  }

/** iOS shows only PNG pictures on the home screen. */
const icons = [
  { path: '/favicon.ico', schema: FaviconRoute, types: ['image/png', 'image/webp', 'image/svg+xml'] },
  { path: '/apple-touch-icon.png', schema: AppleIconRoute, types: ['image/png'] },
]
