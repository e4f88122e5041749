import type { Context } from '../../context.ts'
import { isSealedByOldKey, seal, unseal } from '../../lib/seal.ts'
import { deleteStalePending, findSealedOtherwise, replaceMethodSecret } from './queries.ts'
import { pendingLifetime } from './user-methods.ts'

const batch = 1_000

export const forgetPending = (ctx: Context): Promise<number> =>
  deleteStalePending(ctx.db, new Date(ctx.clock.now() - pendingLifetime), batch)

/** Encrypts seeds with the current key so that older keys can be removed. */
export async function resealSeeds({ db, dataKeys, log }: Context): Promise<number> {
  const rows = await findSealedOtherwise(db, dataKeys[0]?.id ?? '', batch)
  let resealed = 0
  for (const { id, secret } of rows) {
    if (!isSealedByOldKey(dataKeys, secret)) continue
    try {
      await replaceMethodSecret(db, id, secret, seal(dataKeys, unseal(dataKeys, secret)))
      resealed++
    } catch (error) {
      // This seed's encryption key is not configured.
      log.error({ err: error, method: id }, 'could not decrypt the seed of an authenticator')
    }
  }
  return resealed
}
