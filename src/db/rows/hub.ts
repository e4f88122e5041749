import type { JsonObject } from './kinds.ts'

export interface ModuleHubRegistryTable {
  id: string
  module_id: string
  component_id: string
  component_type: 'core' | 'extension'
  runtime_scope: string
  version: string
  checksum: string
  status: 'installed' | 'repaired'
  run_id: string
  installed_by: string | null
  installed_at: Date
  updated_at: Date
}

export interface ModuleHubEventsTable {
  id: string
  run_id: string
  module_id: string
  component_id: string | null
  runtime_scope: string
  event_type: string
  actor_user_id: string | null
  detail: JsonObject
  created_at: Date
}
