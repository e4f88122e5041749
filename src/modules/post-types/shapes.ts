import { iso } from '../../lib/time.ts'
import { filledBehaviors } from './behaviors.ts'
import type { DefinitionRow } from './queries.ts'

export const shownDefinition = (row: DefinitionRow) => ({
  id: row.id,
  type_key: row.type_key,
  type_name: row.type_name,
  description: row.description,
  slug_prefix: row.slug_prefix,
  field_schema: row.field_schema,
  behaviors: filledBehaviors(row.type_key, row.behaviors),
  icon: row.icon,
  color: row.color,
  is_active: row.is_active,
  is_built_in: row.is_built_in,
  sort_order: row.sort_order,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
})

export const shownSchema = (row: DefinitionRow) => ({
  type_key: row.type_key,
  type_name: row.type_name,
  field_schema: row.field_schema,
  behaviors: filledBehaviors(row.type_key, row.behaviors),
})
