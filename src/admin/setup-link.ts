import type { Context, Transaction } from '../context.ts'
import { factIsStated, stateFact } from '../db/installation-facts.ts'
import type { Db } from '../db/tables.ts'
import { isSuperadmin } from '../http/access/permissions.ts'
import { minute } from '../lib/time.ts'
import { issueOneTimeToken } from '../one-time-tokens/one-time-token.ts'

/** Recorded when the first superadmin is created. Deleting that user does not reopen setup. */
export const firstAdminFact = 'first_admin_existed'

/**
 * The start page calls `firstAdminExisted` on every visit. A positive result is cached because the fact is never
 * removed.
 */
const settled = new WeakSet<Db>()

export async function firstAdminExisted({ db }: Pick<Context, 'db'>): Promise<boolean> {
  if (settled.has(db)) return true
  const existed = await factIsStated(db, firstAdminFact)
  if (existed) settled.add(db)
  return existed
}

/** If an operator appoints the first superadmin from the command line, the setup link must stop working. */
export async function noteSuperadmin(
  tx: Transaction,
  { user_type }: { user_type?: string | undefined },
): Promise<void> {
  if (user_type !== undefined && isSuperadmin({ user_type })) await stateFact(tx.db, firstAdminFact, tx.clock.date())
}

const lifetime = 30 * minute

export async function createSetupLink(ctx: Context): Promise<string | undefined> {
  if (await firstAdminExisted(ctx)) return undefined
  const { secret } = await issueOneTimeToken(ctx, { purpose: 'setup', userId: null, target: null, lifetime })
  return `${ctx.config.PUBLIC_URL}/auth/setup?token=${secret}`
}
