import type { Context } from '../../context.ts'
import { always } from '../../db/conditions.ts'
import type { Db } from '../../db/tables.ts'
import { isAdmin } from '../../http/access/is-admin.ts'
import type { LoadedModule } from '../../hub/define-module.ts'
import { AppError, type FieldProblem, invalidField } from '../../lib/errors.ts'
import type { PostReader } from './access.ts'
import type { PostType, PostTypeProvider, PostTypeRules, TypedPost } from './post-type-provider.ts'
import { countOfType, type PostRow } from './queries.ts'
import type { RenderText } from './render.ts'

/** All posts have this type unless an installed module defines types. */
const plainPost = (refuse: (field: string) => AppError): PostType => ({
  key: 'post',
  name: 'Post',
  fields: [],
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
  all: () => [plain],
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

/** The types of an installed module apply even while it is disabled. Otherwise, restricted posts would be readable. */
export function activeProvider(ctx: Context, modules: readonly LoadedModule[]): PostTypeProvider {
  const module = modules.find(({ postTypeProvider }) => postTypeProvider)
  const types = module?.postTypeProvider?.(ctx)
  const plain = plainProvider(module?.id)
  if (!module || !types) return plain
  const active = () => {
    // A damaged module's read restrictions are unknown, so all requests are rejected.
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

export function namedType(types: PostTypeRules, key: string): PostType {
  const type = types.find(key)
  if (!type?.isOffered) throw invalidField('post_type', 'must be an existing post type')
  return type
}

export interface TypedMembers {
  fields?: Record<string, unknown> | undefined
  seo?: TypedPost | undefined
}

/** Sanitizes rich text in the same way as post bodies. Sanitizing is slow, so call this before taking any lock. */
export async function sanitizeTypedFields(
  render: RenderText,
  type: PostType,
  read: TypedMembers,
): Promise<TypedMembers> {
  if (!read.fields) return read
  const clean = async (body: string, field: string) => (await render({ format: 'html', body }, field)).html
  return { ...read, fields: await type.cleanFields(read.fields, clean) }
}

export const typeViolations = (
  { bodyFormats, allowsPassword }: PostType,
  { body_format, visibility }: { body_format?: PostRow['body_format'] | undefined; visibility?: string | undefined },
): FieldProblem[] => [
  ...(body_format !== undefined && !bodyFormats.includes(body_format)
    ? [{ field: 'body_format', message: `must be one of ${bodyFormats.join(', ')} in this post type` }]
    : []),
  ...(visibility === 'password' && !allowsPassword
    ? [{ field: 'visibility', message: 'must not be password in this post type' }]
    : []),
]

/** If the type changes, members that the request omits are also checked because the new type might forbid them. */
export function assertAllowedByType(type: PostType, post: Pick<PostRow, 'body_format' | 'visibility'>): void {
  const details = typeViolations(type, post)
  if (details.length > 0) throw new AppError('VALIDATION_ERROR', { details })
}

/** Call this whenever a post's type is set. The owner's row must be locked so that the limit is exact. */
export async function assertMayUseType(
  db: Db,
  type: PostType,
  user: NonNullable<PostReader>,
  { id, user_id }: Pick<PostRow, 'id' | 'user_id'>,
): Promise<void> {
  if (!isAdmin(user) && !type.mayCreate(user.user_type)) throw new AppError('FORBIDDEN')
  if (!type.isActive) throw new AppError('POST_TYPE_INACTIVE')
  if (isAdmin(user) || type.maxPerAuthor === 0 || user_id === null) return
  if ((await countOfType(db, user_id, type.key, id)) >= type.maxPerAuthor) throw new AppError('MAX_PER_AUTHOR')
}
