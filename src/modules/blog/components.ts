import type { Context } from '../../context.ts'

export type BlogExtension = 'ext-comments' | 'ext-reactions' | 'ext-bookmarks' | 'ext-views' | 'ext-translations'

/** Call this before reading another extension's tables. The routes of a missing extension are refused in any case. */
export const hasExtension = ({ modules }: Pick<Context, 'modules'>, component: BlogExtension): boolean =>
  modules.isInstalled('blog', component)
