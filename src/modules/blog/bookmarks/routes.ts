import type { Context } from '../../../context.ts'
import { signedIn } from '../../../http/access/access.ts'
import { envelope } from '../../../http/responses/envelope.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { listMetaOf } from '../../../lib/paging.ts'
import { iso } from '../../../lib/time.ts'
import { writerOf } from '../change-post.ts'
import { base, postPaths } from '../names.ts'
import { readInputFrom } from '../read-post.ts'
import { bookmark, listBookmarks, removeOwnBookmark } from './bookmark.ts'
import { BookmarkRoute, ListBookmarksRoute, RemoveBookmarkRoute } from './schemas.ts'

const module = { id: 'blog', component: 'ext-bookmarks' }
const read = { access: signedIn, limit: 'read', whileImpersonating: 'allowed', module } as const
const interact = { access: signedIn, limit: 'interact', module } as const

export const bookmarkRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(`${base}/me/bookmarks`, { schema: ListBookmarksRoute, config: read }, async (request) => {
      const { bookmarks, pagination } = await listBookmarks(ctx, request.auth.user, request.query)
      const shown = bookmarks.map((one) => ({ ...one, bookmarked_at: iso(one.bookmarked_at) }))
      return envelope(request, shown, listMetaOf(pagination))
    })
    for (const post of postPaths) {
      const path = `${post}/bookmark` as const
      http.post(path, { schema: BookmarkRoute, config: interact }, async (request) => {
        const { id } = request.params
        await bookmark(ctx, writerOf(request), readInputFrom(request), id)
        return envelope(request, { post_id: id, bookmarked: true as const }, {})
      })
      http.delete(path, { schema: RemoveBookmarkRoute, config: interact }, async (request) => {
        const { id } = request.params
        await removeOwnBookmark(ctx, writerOf(request), readInputFrom(request), id)
        return envelope(request, { post_id: id, bookmarked: false as const }, {})
      })
    }
  }
