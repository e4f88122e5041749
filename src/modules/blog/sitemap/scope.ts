import type { Context } from '../../../context.ts'
import type { PostTypeRules } from '../post-type-provider.ts'

export interface SitemapScope {
  now: Date
  types: PostTypeRules
  hasTypes: boolean
  hasTranslations: boolean
}

export const scopeOf = async ({ clock, modules, postTypeProvider }: Context): Promise<SitemapScope> => ({
  now: clock.date(),
  types: await postTypeProvider.load(),
  hasTypes: postTypeProvider.columns().includes('post_type'),
  hasTranslations: modules.isInstalled('blog', 'ext-translations'),
})
