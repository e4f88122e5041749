import type { Context } from '../../../context.ts'
import { visitor } from '../../../http/access/access.ts'
import { deviceOf } from '../../../http/access/device.ts'
import { envelope } from '../../../http/responses/envelope.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { iso } from '../../../lib/time.ts'
import { writers } from '../access.ts'
import { writerOf } from '../change-post.ts'
import { base, postPaths } from '../names.ts'
import { extrasOf, shownPost } from '../shapes.ts'
import { createPreviewLink, listPreviewLinks, revokePreviewLinks } from './change-links.ts'
import type { PreviewLinkView } from './queries.ts'
import { readPreview } from './read-preview.ts'
import * as schemas from './schemas.ts'

const module = { id: 'blog', component: 'ext-preview-links' } as const

export const previewLinkRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const write = { access: writers(ctx.config), limit: 'write', module } as const
    const read = { ...write, limit: 'read' } as const
    for (const path of postPaths) {
      const links = `${path}/preview-links` as const
      http.post(links, { schema: schemas.CreatePreviewLinkRoute, config: write }, async (request) => {
        const { previewToken, ...link } = await createPreviewLink(ctx, writerOf(request), request.params.id)
        const url = ctx.config.BLOG_PAGES ? `${ctx.config.PUBLIC_URL}/blog/preview/${previewToken}` : null
        return envelope(request, { ...shownLink(link), token: previewToken, url }, {})
      })
      http.get(links, { schema: schemas.ListPreviewLinksRoute, config: read }, async (request) =>
        envelope(request, (await listPreviewLinks(ctx, writerOf(request), request.params.id)).map(shownLink), {}),
      )
      http.delete(links, { schema: schemas.RevokePreviewLinksRoute, config: write }, async (request) => {
        const { id } = request.params
        return envelope(request, { id, revoked: await revokePreviewLinks(ctx, writerOf(request), id) }, {})
      })
    }
    const open = { access: visitor, limit: 'preview_link', whileImpersonating: 'allowed', module } as const
    http.get(`${base}/preview/:token`, { schema: schemas.ReadPreviewRoute, config: open }, async (request) => {
      const input = { previewToken: request.params.token, lang: request.query.lang, device: deviceOf(request) }
      const { post, types, fallbackLang, expiresAt } = await readPreview(ctx, input)
      const meta = {
        cached: false as const,
        expires_at: expiresAt,
        ...(fallbackLang !== undefined && { fallback_lang: fallbackLang }),
      }
      const extras = await extrasOf(ctx, post.id, undefined)
      return envelope(request, { ...shownPost(ctx, types, post), ...extras }, meta)
    })
  }

const shownLink = ({ id, created_at, expires_at }: PreviewLinkView) => ({
  id,
  created_at: iso(created_at),
  expires_at: iso(expires_at),
})
