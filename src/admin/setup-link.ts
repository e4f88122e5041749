import type { Context } from '../context.ts'
import { minute } from '../lib/time.ts'
import { issueSecret } from '../secrets/issue.ts'
import { factIsStated } from '../users/queries.ts'

/** Stated once, when the first superadmin is made; removing that user later does not reopen the set-up. */
export const firstAdminFact = 'first_admin_existed'

export const firstAdminExisted = ({ db }: Pick<Context, 'db'>): Promise<boolean> => factIsStated(db, firstAdminFact)

const lifetime = 30 * minute

/** A fresh one-time address for making the first superadmin; undefined once one has existed. */
export async function createSetupLink(ctx: Context): Promise<string | undefined> {
  if (await firstAdminExisted(ctx)) return undefined
  const { secret } = await issueSecret(ctx, ctx.db, { purpose: 'setup', userId: null, target: null, lifetime })
  return `${ctx.config.PUBLIC_URL}/auth/setup?token=${secret}`
}
