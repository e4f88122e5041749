export const postTypeErrors = {
  KEY_TAKEN: [409, 'A post type with this key already exists'],
  SLUG_PREFIX_TAKEN: [409, 'Another post type already uses this prefix'],
  BUILT_IN: [409, 'This is not allowed for a built-in post type'],
  IN_USE: [409, 'This post type still has posts'],
} as const

export const postTypeAuditEvents = ['post_type_changed'] as const

type PostTypeErrors = typeof postTypeErrors
type PostTypeEvents = Record<(typeof postTypeAuditEvents)[number], true>

declare module '../../lib/errors.ts' {
  interface ModuleErrors extends PostTypeErrors {}
}

declare module '../../audit/events.ts' {
  interface ModuleAuditEvents extends PostTypeEvents {}
}
