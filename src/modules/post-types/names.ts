/** Codes and events that this module adds to those of the core. */
export const errors = {
  KEY_TAKEN: [409, 'There is a post type with this key already'],
  SLUG_PREFIX_TAKEN: [409, 'Another post type has this prefix already'],
  BUILT_IN: [409, 'This post type is built in'],
  IN_USE: [409, 'There are posts of this type'],
} as const

export const auditEvents = ['post_type_changed'] as const

type PostTypeErrors = typeof errors
type PostTypeEvents = Record<(typeof auditEvents)[number], true>

declare module '../../lib/errors.ts' {
  interface ModuleErrors extends PostTypeErrors {}
}

declare module '../../audit/events.ts' {
  interface ModuleAuditEvents extends PostTypeEvents {}
}
