import type { Context } from '../../context.ts'
import { always } from '../../db/conditions.ts'
import type { Module } from '../../hub/load-modules.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import type { PostType, PostTypeRules, PostTypes } from './post-types.ts'

const needsModule = (field: string) => invalidField(field, 'needs the module post-types')

/** The type of all posts while no other types are defined. */
const plainPost: PostType = {
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
    throw needsModule('fields')
  },
  cleanFields: async (fields) => fields,
  readSeo() {
    throw needsModule('seo')
  },
  columnsOf: () => ({}),
  missingFields: () => [],
  shownFields: (stored) => stored,
}

const plainRules: PostTypeRules = {
  find: (key) => (key === plainPost.key ? plainPost : undefined),
  typeOf: () => plainPost,
  hides: () => false,
  readable: () => always,
  readableKeys: () => undefined,
  collectable: () => always,
  shown: () => ({}),
}

export const noPostTypes: PostTypes = {
  columns: () => [],
  recall: () => plainRules,
  load: async () => plainRules,
  loadFresh: async () => plainRules,
}

/** Uses the types of an installed module even if it is disabled: posts stored under them stay restricted. */
export function activePostTypes(ctx: Context, modules: readonly Module[]): PostTypes {
  const module = modules.find(({ postTypes }) => postTypes)
  const types = module?.postTypes?.(ctx)
  if (!module || !types) return noPostTypes
  const active = () => {
    // The read restrictions are unknown, so all reads are refused.
    if (ctx.modules.isDamaged(module.id)) throw new AppError('UNAVAILABLE')
    return ctx.modules.isInstalled(module.id) ? types : noPostTypes
  }
  return {
    columns: () => active().columns(),
    recall: () => active().recall(),
    load: async () => active().load(),
    loadFresh: async (db) => active().loadFresh(db),
  }
}
