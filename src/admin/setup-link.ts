import type { Context } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { minute } from '../lib/time.ts'
import { issueSecret } from '../secrets/issue.ts'
import { factIsStated } from '../users/queries.ts'

/** Stated once, when the first superadmin is made; removing that user later does not reopen the set-up. */
export const firstAdminFact = 'first_admin_existed'

/** Databases that have said so: a fact is never taken back, and the start page asks for this one at every visit. */
const settled = new WeakSet<Db>()

export async function firstAdminExisted({ db }: Pick<Context, 'db'>): Promise<boolean> {
  if (settled.has(db)) return true
  const existed = await factIsStated(db, firstAdminFact)
  if (existed) settled.add(db)
  return existed
}

const lifetime = 30 * minute

/** A fresh one-time address for making the first superadmin; undefined once one has existed. */
export async function createSetupLink(ctx: Context): Promise<string | undefined> {
  if (await firstAdminExisted(ctx)) return undefined
  const { secret } = await issueSecret(ctx, { purpose: 'setup', userId: null, target: null, lifetime })
  return `${ctx.config.PUBLIC_URL}/auth/setup?token=${secret}`
}
