import type { Context } from '../../context.ts'

export type BlogExtension = 'ext-comments' | 'ext-reactions' | 'ext-bookmarks' | 'ext-views' | 'ext-translations'

/** Call this before you read tables of another extension. The routes of a missing extension are refused in any case. */
export const hasExtension = ({ modules }: Pick<Context, 'modules'>, component: BlogExtension): boolean =>
  modules.isInstalled('blog', component)
