import type { Config } from '../../config/load.ts'
import type { Context, UserRow } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { activeOf } from './find-methods.ts'
import type { FactorRequest } from './methods/method.ts'
import type { MethodRow } from './queries.ts'

/** A remembered browser requires only the password, so its session must not use a new factor to remove the others. */
export function assertConfirmed(
  { config }: Context,
  rows: readonly MethodRow[],
  { user, confirmed }: FactorRequest,
): void {
  if (!isRequiredOf(config, user) || confirmed || activeOf(rows).length === 0) return
  throw new AppError('REAUTH_REQUIRED', { sentence: 'Please confirm your identity with a second factor' })
}

export const isRequiredFor = ({ TWO_FACTOR_REQUIRED_FOR }: Config, userType: string): boolean =>
  TWO_FACTOR_REQUIRED_FOR.includes(userType)

export const isRequiredOf = (config: Config, user: Pick<UserRow, 'two_factor' | 'user_type'>): boolean =>
  user.two_factor || isRequiredFor(config, user.user_type)
