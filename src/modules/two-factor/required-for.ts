import type { Config } from '../../config/load.ts'

/** Whether users of a type confirm every sign-in, whatever they have set up or switched off. */
export const isRequiredFor = ({ TWO_FACTOR_REQUIRED_FOR }: Config, userType: string): boolean =>
  TWO_FACTOR_REQUIRED_FOR.includes(userType)
