export const blogErrors = {
  COMMENTS_DISABLED: [403, 'Comments are closed'],
  EDIT_WINDOW_CLOSED: [403, 'This can no longer be changed'],
  REACTIONS_DISABLED: [403, 'Reactions are disabled'],
  BOOKMARKS_DISABLED: [403, 'Bookmarks are disabled'],
  PASSWORD_REQUIRED: [403, 'A password is required'],
  NAME_TAKEN: [409, 'This name is already taken'],
  SLUG_TAKEN: [409, 'This address is already taken'],
  POST_NOT_PUBLISHED: [409, 'The post is not published'],
  POST_ALREADY_PUBLISHED: [409, 'The post is already published'],
  TOO_MANY_PREVIEW_LINKS: [409, 'The post has the maximum number of preview links'],
  PREVIEW_LINK_EXPIRED: [410, 'This preview link has expired'],
  NOT_DELETED: [409, 'The post is not in the trash'],
  POST_TYPE_INACTIVE: [409, 'This post type is inactive'],
  MAX_PER_AUTHOR: [409, 'You have reached the maximum number of posts of this type'],
  SCHEDULING_DISABLED: [409, 'Posts of this type cannot be scheduled'],
} as const

export const blogAuditEvents = [
  'post_published',
  'comment_moderated',
  'post_restored',
  'post_purged',
  'taxonomy_changed',
  'preview_link_created',
  'preview_links_revoked',
] as const

/** Limits with `byAccount` apply per account across all nodes. */
export const blogLimits = {
  comment: { setting: 'RATE_LIMIT_COMMENT', local: false, byAccount: true },
  interact: { setting: 'RATE_LIMIT_INTERACT', local: false, byAccount: true },
  preview_link: { setting: 'RATE_LIMIT_PREVIEW_LINK', local: false },
} as const

type BlogErrors = typeof blogErrors
type BlogEvents = Record<(typeof blogAuditEvents)[number], true>

declare module '../../lib/errors.ts' {
  interface ModuleErrors extends BlogErrors {}
}

declare module '../../audit/events.ts' {
  interface ModuleAuditEvents extends BlogEvents {}
}

declare module '../../http/limits/rate-limits.ts' {
  interface ModuleLimits {
    comment: true
    interact: true
    preview_link: true
  }
}

export const base = '/api/v1/posts'

/** Both paths return a single post. The API description lists only the first path. */
export const postPaths = [`${base}/id/:id`, `${base}/:id`] as const
