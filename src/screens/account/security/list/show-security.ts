import { pagesOfferPasskeys } from '../../../../config/passkeys.ts'
import type { Context } from '../../../../context.ts'
import { AppError } from '../../../../lib/errors.ts'
import { ListPasskeysRoute } from '../../../../passkeys/schemas.ts'
import type { AccountVisit, FormOutcome } from '../../../../ui/account/account-visit.ts'
import type { ReadSecurityPart } from '../../../../ui/account/security-part.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { accountSecurityPage, type PasskeyListEntry } from './view.ts'

interface SecurityOutcome extends FormOutcome {
  parts: readonly ReadSecurityPart[]
}

/** Modules call this function if one of their forms on the page is rejected. */
export async function showSecurity(
  ctx: Context,
  member: AccountVisit,
  { parts: read, done, problem }: SecurityOutcome,
  status?: number,
) {
  const { area, profile, show } = member
  const parts = await Promise.all(read.map((one) => one(ctx, member)))
  const passkeys = await readPasskeys(member)
  const canAdd = pagesOfferPasskeys(ctx.config)
  if (!canAdd && passkeys.length + parts.length === 0) throw new AppError('NOT_FOUND')
  const data = { area, parts, passkeys, canAdd, timeZone: profile.user.tmz, done, problem }
  return show((page) => accountSecurityPage(data, page), status)
}

export async function readPasskeys({ api }: Pick<AccountVisit, 'api'>): Promise<PasskeyListEntry[]> {
  const response = await api(call(ListPasskeysRoute))
  if (!response.ok) throw new AppError(response.status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE')
  return response.body.passkeys
}
