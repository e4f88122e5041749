import type { Generated } from 'kysely'
import type { JsonText } from '../../db/rows/kinds.ts'

export interface PostTypesTable {
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

export interface FieldDefinition {
  name: string
  label: string
  type: string
  required: boolean
  options?: string[]
  max_length?: number
  placeholder?: string
}

export type StoredBehaviors = Record<string, string | number | boolean | string[]>

declare module '../../db/tables.ts' {
  interface Tables {
    post_types: PostTypesTable
  }
}
