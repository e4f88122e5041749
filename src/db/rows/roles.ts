import type { ColumnType, Generated } from 'kysely'

export type TextByLanguage = Readonly<Record<string, string>>

export interface PermissionsTable {
  key: string
  application_id: string
  title: ColumnType<TextByLanguage, string, string>
  description: ColumnType<TextByLanguage, string, string>
  sensitive: boolean
  retired_at: Date | null
}

export interface RolesTable {
  id: string
  created_at: Date
  updated_at: Date
  kind: 'staff' | 'application'
  /** Null for staff roles. */
  application_id: Generated<string | null>
  /** Of a staff role: the `user_type` of the users who have it. */
  key: string
  name: string
  description: Generated<string>
  permissions: string[]
  is_default: Generated<boolean>
  epoch: Generated<number>
}

/** The application roles that users were given. */
export interface UserRolesTable {
  user_id: string
  role_id: string
  granted_at: Date
  granted_by: string | null
  until: Date | null
}
