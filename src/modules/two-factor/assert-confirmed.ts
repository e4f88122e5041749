import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { activeOf } from './find-methods.ts'
import type { FactorRequest } from './methods/method.ts'
import type { MethodRow } from './queries.ts'
import { isRequiredFor } from './required-for.ts'

/**
 * What adds a way to confirm is done by a session that was confirmed itself. A full session may never have been: in a
 * remembered browser the password is enough, and with a factor of their own making its holder could take away the rest.
 * The first method needs nothing of this: there is nothing yet to confirm with.
 */
export function assertConfirmed(
  { config }: Context,
  rows: readonly MethodRow[],
  { user, confirmed }: FactorRequest,
): void {
  const isAsked = user.two_factor || isRequiredFor(config, user.user_type)
  if (!isAsked || confirmed || activeOf(rows).length === 0) return
  throw new AppError('REAUTH_REQUIRED', { sentence: 'Please confirm your identity with a second factor' })
}
