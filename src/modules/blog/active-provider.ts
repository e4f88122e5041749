import type { Context } from '../../context.ts'
import { always } from '../../db/conditions.ts'
import type { LoadedModule } from '../../hub/load-modules.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import type { PostType, PostTypeProvider, PostTypeRules } from './post-type-provider.ts'

/** All posts have this type unless an installed module defines types. */
const plainPost = (refuse: (field: string) => AppError): PostType => ({
  key: 'post',
  slugPrefix: '',
  isActive: true,
  isOffered: true,
  features: { comments: true, reactions: true, bookmarks: true, views: true, scheduling: true, seo: false },
  defaultVisibility: 'public',
  bodyFormats: ['markdown', 'html', 'text', 'json'],
  allowsPassword: true,
  requiresApproval: false,
  maxPerAuthor: 0,
  mayCreate: () => true,
  readFields() {
    throw refuse('fields')
  },
  cleanFields: async (fields) => fields,
  readSeo() {
    throw refuse('seo')
  },
  columnsOf: () => ({}),
  missingFields: () => [],
  shownFields: (stored) => stored,
})

const plainRules = (plain: PostType): PostTypeRules => ({
  find: (key) => (key === plain.key ? plain : undefined),
  typeOf: () => plain,
  hides: () => false,
  readable: () => always,
  readableKeys: () => undefined,
  collectable: () => always,
  shown: () => ({}),
})

export function plainProvider(providerId: string | undefined): PostTypeProvider {
  const advice = providerId ? `needs the module ${providerId}` : 'needs a module that this release does not have'
  const rules = plainRules(plainPost((field) => invalidField(field, advice)))
  return {
    columns: () => [],
    recall: () => rules,
    load: async () => rules,
    loadFresh: async () => rules,
  }
}

/** An installed module's types apply even while it is disabled, so that its posts stay restricted. */
export function activeProvider(ctx: Context, modules: readonly LoadedModule[]): PostTypeProvider {
  const module = modules.find(({ postTypeProvider }) => postTypeProvider)
  const types = module?.postTypeProvider?.(ctx)
  const plain = plainProvider(module?.id)
  if (!module || !types) return plain
  const active = () => {
    // The read restrictions are unknown, so all reads are refused.
    if (ctx.modules.isDamaged(module.id)) throw new AppError('UNAVAILABLE')
    return ctx.modules.isInstalled(module.id) ? types : plain
  }
  return {
    columns: () => active().columns(),
    recall: () => active().recall(),
    load: async () => active().load(),
    loadFresh: async (db) => active().loadFresh(db),
  }
}
