import type { Config } from '../../config/load.ts'
import type { UserRow } from '../../context.ts'

export const isRequiredFor = ({ TWO_FACTOR_REQUIRED_FOR }: Config, userType: string): boolean =>
  TWO_FACTOR_REQUIRED_FOR.includes(userType)

export const isRequiredOf = (config: Config, user: Pick<UserRow, 'two_factor' | 'user_type'>): boolean =>
  user.two_factor || isRequiredFor(config, user.user_type)
