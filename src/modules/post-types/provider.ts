import type { Context } from '../../context.ts'
import type { PostTypeProvider, PostTypeRules } from '../blog/post-type-provider.ts'
import type { InstalledFeatures } from './compile-type.ts'
import { definitionCacheOf } from './definition-cache.ts'
import type { PostTypeDefinitions } from './queries.ts'
import { createRules } from './rules.ts'
import { seoColumns } from './seo.ts'

export function createProvider(ctx: Context): PostTypeProvider {
  const cache = definitionCacheOf(ctx)
  const has = (component: string) => ctx.modules.isInstalled('post-types', component)
  const installed = (): InstalledFeatures => ({
    enabled: ctx.modules.isEnabled('post-types'),
    seo: has('ext-seo'),
    restriction: has('ext-type-restriction'),
  })
  const rules = rulesOnce()
  return {
    columns: () => ['post_type', 'custom_fields', ...(has('ext-seo') ? seoColumns : [])],
    recall() {
      const definitions = cache.recall()
      return definitions && rules(definitions, installed())
    },
    load: async () => rules((await cache.load()).definitions, installed()),
    loadFresh: async (db) => rules(await cache.loadFresh(db), installed()),
  }
}

function rulesOnce(): (definitions: PostTypeDefinitions, installed: InstalledFeatures) => PostTypeRules {
  let last: { version: number; installed: InstalledFeatures; rules: PostTypeRules } | undefined
  return ({ version, rows }, installed) => {
    const { enabled, seo, restriction } = installed
    const isSame =
      last?.version === version &&
      last.installed.enabled === enabled &&
      last.installed.seo === seo &&
      last.installed.restriction === restriction
    if (!last || !isSame) last = { version, installed, rules: createRules(rows, installed) }
    return last.rules
  }
}
