import type { Context } from '../../../context.ts'
import type { PostTypeRules } from '../post-types.ts'

export interface Scope {
  now: Date
  types: PostTypeRules
  hasTypes: boolean
  hasTranslations: boolean
}

export const scopeOf = async ({ clock, modules, postTypes }: Context): Promise<Scope> => ({
  now: new Date(clock.now()),
  types: await postTypes.load(),
  hasTypes: postTypes.columns().includes('post_type'),
  hasTranslations: modules.isInstalled('blog', 'ext-translations'),
})
