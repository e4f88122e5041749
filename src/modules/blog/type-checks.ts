import type { Db } from '../../db/tables.ts'
import { AppError, type FieldProblem, invalidField } from '../../lib/errors.ts'
import { isAdmin } from '../../users/is-admin.ts'
import type { PostReader } from './access.ts'
import type { PostType, PostTypeRules, TypedPost } from './post-type-provider.ts'
import { countOfType, type PostRow } from './queries.ts'
import type { RenderText } from './render.ts'
import { isPublishedOrScheduled, type PostState } from './states.ts'

export function namedType(types: PostTypeRules, key: string): PostType {
  const type = types.find(key)
  if (!type?.isOffered) throw invalidField('post_type', 'must be an existing post type')
  return type
}

export interface TypedMembers {
  fields?: Record<string, unknown> | undefined
  seo?: TypedPost | undefined
}

/** Sanitizes rich text as bodies are sanitized, which is slow. Call this before any lock is taken. */
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

/** If the type changes, all members of the post are checked, because the new type may not allow omitted members. */
export function assertAllowedByType(type: PostType, post: Pick<PostRow, 'body_format' | 'visibility'>): void {
  const details = typeViolations(type, post)
  if (details.length > 0) throw new AppError('VALIDATION_ERROR', { details })
}

/** Call this whenever the type of a post is set. The owner's row must be locked, so that the limit is exact. */
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

/** Returns the state that the writer may set. If the type requires approval, publishing results in `pending`. */
export function permittedState(
  type: PostType,
  user: PostReader,
  before: PostState | undefined,
  { status, published_at, scheduled_at }: PostState,
): PostState {
  const wanted = { status, published_at, scheduled_at }
  const isMove = before?.status !== status || before.scheduled_at?.getTime() !== scheduled_at?.getTime()
  if (!isMove || !isPublishedOrScheduled(status)) return wanted
  if (!type.isActive) throw new AppError('POST_TYPE_INACTIVE')
  if (status === 'scheduled' && !type.features.scheduling) throw new AppError('SCHEDULING_DISABLED')
  // A published post has already been approved.
  if (!type.requiresApproval || isAdmin(user) || before?.status === 'published') return wanted
  return {
    status: 'pending',
    published_at: before?.published_at ?? null,
    scheduled_at: scheduled_at ?? before?.scheduled_at ?? null,
  }
}
