import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { looksLikeId } from '../../lib/ids.ts'
import { findAccount, listAccounts } from './account-queries.ts'
import { listKeys } from './key-queries.ts'
import { givableScopes } from './scopes.ts'
import { shownAccount, shownKey } from './shapes.ts'

export async function listServiceAccounts(ctx: Context, viewer: { id: string; user_type: string }) {
  const { db, clock, staff } = ctx
  const now = clock.date()
  const service_accounts = (await listAccounts(db, now)).map((row) => shownAccount(row, now))
  const scopes = staff.admits({ permission: 'keys:manage' }, viewer.user_type) ? await givableScopes(ctx, viewer) : []
  return { service_accounts, scopes }
}

export async function getAccount({ db, clock }: Context, id: string) {
  const now = clock.date()
  const row = looksLikeId(id) ? await findAccount(db, id, now) : undefined
  if (!row) throw new AppError('NOT_FOUND')
  return shownAccount(row, now)
}

export async function listAccountKeys(ctx: Context, id: string) {
  const account = await getAccount(ctx, id)
  const now = ctx.clock.date()
  return (await listKeys(ctx.db, { userId: null, accountId: account.id }, now)).map((row) => shownKey(row, now))
}
