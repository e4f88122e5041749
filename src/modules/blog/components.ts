import type { Context } from '../../context.ts'

export type BlogExtension =
  | 'ext-comments'
  | 'ext-reactions'
  | 'ext-bookmarks'
  | 'ext-views'
  | 'ext-translations'
  | 'ext-preview-links'

/**
 * Call this before reading the tables of another extension. The routes of an extension that is not installed are
 * refused anyway.
 */
export const hasExtension = ({ modules }: Pick<Context, 'modules'>, component: BlogExtension): boolean =>
  modules.isInstalled('blog', component)
