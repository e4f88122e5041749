import type { Generated } from 'kysely'
import type { Json, JsonText } from './kinds.ts'

/** Of posts: there while the module post-types is installed, what concerns search engines with its extension. */
export interface PostTypeColumns {
  post_type: string
  custom_fields: Json
  seo_title: string | null
  seo_description: string | null
  seo_keywords: string | null
  canonical_url: string | null
  og_title: string | null
  og_description: string | null
  og_image: string | null
  noindex: boolean
}

export interface PostTypes {
  id: string
  type_key: string
  type_name: string
  description: Generated<string>
  slug_prefix: Generated<string>
  field_schema: JsonText<FieldDefinition[]>
  behaviors: JsonText<StoredBehaviors>
  icon: Generated<string>
  color: Generated<string>
  is_active: Generated<boolean>
  is_built_in: Generated<boolean>
  sort_order: Generated<number>
  version: Generated<number>
  created_at: Date
  updated_at: Date
  allowed_create_types: string[] | null
  allowed_read_types: string[] | null
}

/** A field that posts of one type have beside those of every post. */
export interface FieldDefinition {
  name: string
  label: string
  type: string
  required: boolean
  options?: string[]
  max_length?: number
  placeholder?: string
}

/** Those alone that somebody has set. */
export type StoredBehaviors = Record<string, string | number | boolean | string[]>
