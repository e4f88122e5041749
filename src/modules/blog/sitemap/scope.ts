import type { Context } from '../../../context.ts'
import type { PostTypeRules } from '../post-types.ts'

/** The values needed to select the posts that are open at one time. */
export interface Scope {
  now: Date
  types: PostTypeRules
  /** Whether posts have a type column. */
  hasTypes: boolean
  hasTranslations: boolean
}

export const scopeOf = async ({ clock, modules, postTypes }: Context): Promise<Scope> => ({
  now: new Date(clock.now()),
  types: await postTypes.load(),
  hasTypes: postTypes.columns().includes('post_type'),
  hasTranslations: modules.isInstalled('blog', 'ext-translations'),
})
