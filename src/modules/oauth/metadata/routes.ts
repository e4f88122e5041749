import type { Context } from '../../../context.ts'
import { anyone } from '../../../http/access/access.ts'
import { documentSender } from '../../../http/responses/send-document.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { minute } from '../../../lib/time.ts'
import { metadataPaths } from './paths.ts'
import { type MetadataPart, metadataRoute } from './schemas.ts'

const config = { access: anyone, limit: 'read', module: 'oauth', anyOrigin: true } as const

/** All addresses derive from PUBLIC_URL. Headers of the request, such as Host, have no influence on them. */
export const metadataRoutes =
  (parts: readonly MetadataPart[]) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const schema = metadataRoute(parts)
    const sendDocument = documentSender(ctx.clock, 5 * minute)
    for (const path of metadataPaths(ctx.config.PUBLIC_URL))
      http.get(path, { schema, config }, async (request, reply) => {
        const members = Object.assign({}, ...parts.map((part) => part.read(ctx.config, ctx)))
        const text = JSON.stringify({ issuer: ctx.config.PUBLIC_URL, ...members })
        return sendDocument(request, reply, { type: 'application/json', text })
      })
  }
