import { invalidField } from '../../lib/errors.ts'
import type { PostType, TypedPost } from '../blog/post-type-provider.ts'
import { filledBehaviors, userTypesOfList } from './behaviors.ts'
import { compileFields } from './field-values.ts'
import type { DefinitionRow } from './queries.ts'
import { readSeo } from './seo.ts'

export interface InstalledFeatures {
  enabled: boolean
  seo: boolean
  restriction: boolean
}

export interface CompiledType extends PostType {
  mayRead(userType: string | undefined): boolean
}

export function compileType(definition: DefinitionRow, installed: InstalledFeatures): CompiledType {
  const { type_key: key } = definition
  const behaviors = filledBehaviors(key, definition.behaviors)
  const fields = compileFields(definition.field_schema)
  const isOffered = installed.enabled || key === 'post'
  const restricted = (list: unknown) => (installed.restriction ? userTypesOfList(list) : undefined)
  const [creators, readers] = [restricted(behaviors.allowed_create_types), restricted(behaviors.allowed_read_types)]
  const hasSeo = installed.seo && behaviors.enables_seo
  return {
    key,
    name: definition.type_name,
    fields: definition.field_schema,
    slugPrefix: definition.slug_prefix,
    isActive: definition.is_active && isOffered,
    isOffered,
    features: {
      comments: behaviors.enables_comments,
      reactions: behaviors.enables_reactions,
      bookmarks: behaviors.enables_bookmarks,
      views: behaviors.enables_views,
      scheduling: behaviors.enables_scheduling,
      seo: hasSeo,
    },
    defaultVisibility: behaviors.default_visibility,
    bodyFormats: behaviors.allowed_body_formats,
    allowsPassword: behaviors.allows_password_visibility,
    requiresApproval: behaviors.requires_approval,
    maxPerAuthor: behaviors.max_per_author,
    mayCreate: (userType) => creators?.includes(userType) ?? true,
    mayRead: (userType) => !readers || (userType !== undefined && readers.includes(userType)),
    readFields: fields.read,
    async cleanFields(values, clean) {
      const cleaned = { ...values }
      for (const name of fields.richtext) {
        const value = values[name] as { html: string } | null | undefined
        if (value) cleaned[name] = { html: await clean(value.html, `fields.${name}`) }
      }
      return cleaned
    },
    readSeo(input) {
      if (hasSeo) return readSeo(input)
      throw invalidField(
        'seo',
        installed.seo
          ? 'is not allowed for posts of this type'
          : 'requires the ext-seo component of the post-types module',
      )
    },
    columnsOf: (before, read) => ({
      post_type: key,
      custom_fields: merged(before.custom_fields ?? {}, read.fields ?? {}),
      ...read.seo,
    }),
    missingFields: ({ custom_fields = {} }: TypedPost) => fields.missing(custom_fields),
    shownFields: fields.shown,
  }
}

/** Omitted members keep their values, even if their field has been removed. Null clears a member. */
const merged = (stored: Record<string, unknown>, input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...stored, ...input }).filter(([, value]) => value !== null))
