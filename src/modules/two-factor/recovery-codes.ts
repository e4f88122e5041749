import { recordAudit } from '../../audit/record.ts'
import type { Context, Device, SessionView } from '../../context.ts'
import type { Db } from '../../db/tables.ts'
import { transact } from '../../db/transact.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { activeOf, methodsOf } from './find-methods.ts'
import { hold } from './hold.ts'
import { newRecoveryCode, recoveryHash } from './methods/recovery.ts'
import { deleteRecoveryCodes, insertRecoveryCodes } from './queries.ts'

const howMany = 10

/** Another set in the place of the one before. Whoever asks has proved who they are. */
export const regenerateRecoveryCodes = (ctx: Context, view: SessionView, device: Device): Promise<string[]> =>
  transact(ctx.db, async (change) => {
    const { user } = await hold(ctx, change, { view, action: 'setup', device })
    if (activeOf(await methodsOf(ctx, change.db, user.id)).length === 0) throw new AppError('TWO_FACTOR_NO_METHOD')
    const details = { method: 'recovery' }
    await recordAudit(ctx, change.db, { event: 'mfa_enrolled', actor: user, target: user.id, device, details })
    return replaceRecoveryCodes(ctx, change.db, user.id)
  })

/** Shown once: only what tells a right one is kept. */
export async function replaceRecoveryCodes(ctx: Context, db: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: howMany }, newRecoveryCode)
  const row = { user_id: userId, used_at: null, created_at: new Date(ctx.clock.now()) }
  await deleteRecoveryCodes(db, userId)
  await insertRecoveryCodes(
    db,
    codes.map((code) => ({ ...row, id: newId(), code_hash: recoveryHash(ctx, userId, code) })),
  )
  return codes
}
