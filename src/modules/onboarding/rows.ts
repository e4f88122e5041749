import type { Generated } from 'kysely'
import type { JsonObject } from '../../db/rows/kinds.ts'

export interface UserOnboardingTable {
  user_id: string
  status: 'in_progress' | 'completed'
  step: string | null
  steps: Record<string, 'done' | 'skipped'>
  data: JsonObject
  started_at: Date | null
  completed_at: Date | null
  updated_at: Date
}

/** The service stores this data but never reads it. */
export interface UserAcquisitionTable {
  user_id: string
  team_size_range: string | null
  acquisition_source: string | null
  acquisition_medium: string | null
  acquisition_campaign: string | null
  acquisition_term: string | null
  acquisition_content: string | null
  acquisition_referrer: string | null
  acquisition_landing_page: string | null
  acquisition_channel: string | null
  acquisition_detail: string | null
  acquisition_extra: JsonObject
  acquired_at: Date | null
  updated_at: Date
}

declare module '../../db/tables.ts' {
  interface Tables {
    user_onboarding: UserOnboardingTable
    user_acquisition: UserAcquisitionTable
  }
}

declare module '../../db/rows/users.ts' {
  interface ModuleUserColumns {
    is_business: Generated<boolean>
    biz_name: string | null
    biz_country: string | null
    biz_state: string | null
    biz_position: string | null
    biz_postal_code: string | null
  }
}
