import type { Context } from '../../context.ts'

export type Extension = 'ext-comments' | 'ext-reactions' | 'ext-bookmarks' | 'ext-views' | 'ext-translations'

/** Whether an extension's tables are there. Routes need not ask, for their gate does: this is for what looks beyond its own. */
export const hasExtension = ({ modules }: Pick<Context, 'modules'>, component: Extension): boolean =>
  modules.isInstalled('blog', component)
