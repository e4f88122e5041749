import type { Generated } from 'kysely'

export interface RolesTable {
  id: string
  created_at: Date
  updated_at: Date
  kind: 'staff'
  /** The `user_type` of the users who have the role. */
  key: string
  name: string
  description: Generated<string>
  permissions: string[]
}
