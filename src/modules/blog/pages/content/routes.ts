import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { contentCommentRoutes } from './comments-routes.ts'
import { editorRoutes } from './editor-routes.ts'
import { contentListRoutes } from './list-routes.ts'
import { postPictureRoutes } from './picture-routes.ts'
import { contentPreviewLinkRoutes } from './preview-links-routes.ts'
import { contentRevisionRoutes } from './revisions-routes.ts'
import { contentTagRoutes } from './tags-routes.ts'
import { contentTranslationRoutes } from './translations-routes.ts'

export const contentPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const routes of [
      contentListRoutes,
      editorRoutes,
      postPictureRoutes,
      contentRevisionRoutes,
      contentCommentRoutes,
      contentPreviewLinkRoutes,
      contentTagRoutes,
      contentTranslationRoutes,
    ])
      routes(ctx)(http)
  }
