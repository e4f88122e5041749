import type { Config } from './load.ts'

export const userTypesOf = ({ USER_TYPES }: Pick<Config, 'USER_TYPES'>): readonly string[] => [
  'superadmin',
  'admin',
  'support',
  'customer',
  'writer',
  ...USER_TYPES,
]
