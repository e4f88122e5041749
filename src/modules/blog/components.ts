import type { Context } from '../../context.ts'

export type BlogExtension =
  | 'ext-comments'
  | 'ext-reactions'
  | 'ext-bookmarks'
  | 'ext-views'
  | 'ext-translations'
  | 'ext-preview-links'

/** Call this before reading another extension's tables. */
export const hasExtension = ({ modules }: Pick<Context, 'modules'>, component: BlogExtension): boolean =>
  modules.isInstalled('blog', component)
