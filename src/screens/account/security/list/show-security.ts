import { pagesOfferPasskeys } from '../../../../config/passkeys.ts'
import type { Context } from '../../../../context.ts'
import { AppError } from '../../../../lib/errors.ts'
import { ListPasskeysRoute } from '../../../../passkeys/schemas.ts'
import type { AccountVisit, FormOutcome } from '../../../../ui/account/account-visit.ts'
import type { ReadSecurityPart } from '../../../../ui/account/security-part.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { codesPath } from '../schemas.ts'
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
  const { passkeys, recovery_codes: codes } = await readOwn(member)
  const canAdd = pagesOfferPasskeys(ctx.config)
  if (!canAdd && passkeys.length + parts.length === 0) throw new AppError('NOT_FOUND')
  const codesForm = member.sign(codesPath)
  const data = { area, parts, passkeys, codes, codesForm, canAdd, timeZone: profile.user.tmz, done, problem }
  return show((page) => accountSecurityPage(data, page), status)
}

export const readPasskeys = async (member: Pick<AccountVisit, 'api'>): Promise<PasskeyListEntry[]> =>
  (await readOwn(member)).passkeys

async function readOwn({ api }: Pick<AccountVisit, 'api'>) {
  const response = await api(call(ListPasskeysRoute))
  if (!response.ok) throw new AppError(response.status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE')
  return response.body
}
