import Type from 'typebox'
import type { ModuleColumn } from '../../context.ts'
import { NullableString, NullableTimestamp } from '../../http/schemas.ts'

export const Region = Type.Enum(['eu', 'ca', 'eu_ca', 'global'])

/** What users show of it, all together or not at all. */
export const privacyColumns: readonly ModuleColumn[] = [
  { name: 'gdpr_consent', unset: false, schema: Type.Boolean() },
  { name: 'gdpr_consent_at', unset: null, schema: NullableTimestamp },
  { name: 'gdpr_consent_version', unset: null, schema: NullableString },
  { name: 'ccpa_applies', unset: false, schema: Type.Boolean() },
  { name: 'ccpa_opt_out', unset: false, schema: Type.Boolean() },
  { name: 'ccpa_opt_out_at', unset: null, schema: NullableTimestamp },
  { name: 'privacy_region', unset: 'global', schema: Region, filterable: true },
]
