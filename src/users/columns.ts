import type { ModuleState } from '../context.ts'

/** Queries list these columns instead of `*`, so they never read the password hash or modules' write-only columns. */
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

/** The columns of the core and of installed modules. */
export const userColumns = (modules: ModuleState): readonly string[] => [
  ...coreColumns,
  ...modules.userColumns().map(({ name }) => name),
]
