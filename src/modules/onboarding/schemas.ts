import Type from 'typebox'
import type { ModuleColumn } from '../../context.ts'
import { NullableString } from '../../http/schemas.ts'

/** What users show of it, all together or not at all. */
export const businessColumns: readonly ModuleColumn[] = [
  { name: 'is_business', unset: false, schema: Type.Boolean(), filterable: true },
  { name: 'biz_name', unset: null, schema: NullableString },
  { name: 'biz_country', unset: null, schema: NullableString, filterable: true },
  { name: 'biz_state', unset: null, schema: NullableString },
  { name: 'biz_position', unset: null, schema: NullableString },
  { name: 'biz_postal_code', unset: null, schema: NullableString },
]
