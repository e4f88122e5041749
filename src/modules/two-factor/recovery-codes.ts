import type { Context } from '../../context.ts'
import { newId } from '../../lib/ids.ts'
import { newRecoveryCode, recoveryHash } from './methods/recovery.ts'
import { deleteRecoveryCodes, insertRecoveryCodes } from './queries.ts'

const howMany = 10

/** Stored as hashes; shown once. */
export async function replaceRecoveryCodes(ctx: Context, userId: string): Promise<string[]> {
  const codes = Array.from({ length: howMany }, newRecoveryCode)
  const row = { user_id: userId, used_at: null, created_at: ctx.clock.date() }
  await deleteRecoveryCodes(ctx.db, userId)
  await insertRecoveryCodes(
    ctx.db,
    codes.map((code) => ({ ...row, id: newId(), code_hash: recoveryHash(ctx, userId, code) })),
  )
  return codes
}
