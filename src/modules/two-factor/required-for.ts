import type { Config } from '../../config/load.ts'

export const isRequiredFor = ({ TWO_FACTOR_REQUIRED_FOR }: Config, userType: string): boolean =>
  TWO_FACTOR_REQUIRED_FOR.includes(userType)
