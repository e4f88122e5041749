import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { CreatePreviewLinkRoute, RevokePreviewLinksRoute } from '../../preview-links/schemas.ts'
import { linkWithQuery } from '../reading/links.ts'
import { contentPages, form } from './content-visit.ts'
import { CreatePreviewLinkFormRoute, contentPaths, postPath, RevokePreviewLinksFormRoute } from './schemas.ts'
import { loadEditedPost, showEditor } from './show-editor.ts'

const config = { ...form, module: { id: 'blog', component: 'ext-preview-links' } } as const

export const contentPreviewLinkRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = contentPages(ctx, http)
    const create = { schema: CreatePreviewLinkFormRoute, config }
    pages.post(contentPaths.previewLinks, create, async (member, { params, body }) => {
      const loaded = await loadEditedPost(ctx, member, params.id)
      const { id } = loaded.post
      const action = contentPaths.previewLinks.replace(':id', id)
      const response = await member.submit(
        action,
        body.form_token,
        call(CreatePreviewLinkRoute, { params: { id }, body: {} }),
      )
      if (!response.ok) return showEditor(ctx, member, { ...loaded, rejection: response.rejection }, response.status)
      // This response shows the link because a redirect would put the token into the editor's URL.
      return showEditor(ctx, member, {
        ...loaded,
        done: 'previewLink',
        previewUrl: response.body.data.url ?? undefined,
      })
    })
    const revoke = { schema: RevokePreviewLinksFormRoute, config }
    pages.post(contentPaths.revokePreviewLinks, revoke, async (member, { params, body }) => {
      const loaded = await loadEditedPost(ctx, member, params.id)
      const { id } = loaded.post
      const action = contentPaths.revokePreviewLinks.replace(':id', id)
      const response = await member.submit(action, body.form_token, call(RevokePreviewLinksRoute, { params: { id } }))
      if (!response.ok) return showEditor(ctx, member, { ...loaded, rejection: response.rejection }, response.status)
      return member.go(linkWithQuery(postPath(id), { done: 'noPreviewLinks' }))
    })
  }
