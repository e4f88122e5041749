import type { PostType } from '../blog/post-type-provider.ts'
import type { StoredBehaviors } from './rows.ts'

const formats = ['markdown', 'html', 'text', 'json'] as const
const visibilities = ['public', 'auth', 'private', 'password'] as const
export const bodyFormats: readonly string[] = formats
export const postVisibilities: readonly string[] = visibilities

export interface PostTypeBehaviors extends Record<string, unknown> {
  public_by_default: boolean
  enables_seo: boolean
  enables_comments: boolean
  enables_reactions: boolean
  enables_bookmarks: boolean
  enables_views: boolean
  enables_scheduling: boolean
  requires_approval: boolean
  allows_password_visibility: boolean
  default_visibility: PostType['defaultVisibility']
  allowed_body_formats: PostType['bodyFormats']
  max_per_author: number
}

export const switches = [
  'public_by_default',
  'enables_seo',
  'enables_comments',
  'enables_reactions',
  'enables_bookmarks',
  'enables_views',
  'enables_scheduling',
  'requires_approval',
  'allows_password_visibility',
] as const

/** These behaviors take effect only with the ext-type-restriction extension. */
export const restrictions = ['allowed_create_types', 'allowed_read_types'] as const

export const namedBehaviors: readonly string[] = [
  ...switches,
  'default_visibility',
  'allowed_body_formats',
  'max_per_author',
]

/** Only explicitly set values are stored so that a later release can change the defaults. */
export function filledBehaviors(typeKey: string, stored: StoredBehaviors): PostTypeBehaviors {
  const defaults: PostTypeBehaviors = {
    public_by_default: true,
    enables_seo: typeKey === 'post' || typeKey === 'page',
    enables_comments: true,
    enables_reactions: true,
    enables_bookmarks: true,
    enables_views: true,
    enables_scheduling: true,
    requires_approval: false,
    allows_password_visibility: true,
    default_visibility: stored.public_by_default === false ? 'private' : 'public',
    allowed_body_formats: [...formats],
    max_per_author: 0,
  }
  return { ...defaults, ...stored }
}

export function userTypesOfList(list: unknown): string[] | undefined {
  if (typeof list !== 'string') return undefined
  const types = list
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '')
  return types.length > 0 ? types : undefined
}
