import type { Context } from '../../context.ts'

export type Extension = 'ext-comments' | 'ext-reactions' | 'ext-bookmarks' | 'ext-views' | 'ext-translations'

/**
 * Whether the tables of an extension exist. Its own routes are already gated; use this in code that reads tables of
 * other extensions.
 */
export const hasExtension = ({ modules }: Pick<Context, 'modules'>, component: Extension): boolean =>
  modules.isInstalled('blog', component)
