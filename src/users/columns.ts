import type { ModuleState } from '../context.ts'

/** What is read of a user, always by name: never the password hash, never a column that a module keeps write-only. */
export const coreColumns = [
  'id',
  'email',
  'user_name',
  'phone',
  'user_type',
  'name',
  'last_name',
  'display_name',
  'title',
  'gender',
  'dob',
  'picture',
  'lang',
  'tmz',
  'metadata',
  'is_verified',
  'two_factor',
  'first_time',
  'session_epoch',
  'created_at',
  'updated_at',
] as const

/** Core columns and those of the modules that are installed at the moment. */
export const userColumns = (modules: ModuleState): readonly string[] => [
  ...coreColumns,
  ...modules.userColumns().map(({ name }) => name),
]
