import { recordAudit } from '../audit/record.ts'
import type { Context, SessionView } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../lib/errors.ts'
import type { SignInDevice } from '../sessions/remembered-browsers.ts'
import { renamePasskey } from '../webauthn/queries.ts'
import { lockOwner } from './change-rights.ts'

export const rename = (
  ctx: Context,
  view: SessionView,
  { id, name }: { id: string; name: string },
  { device }: SignInDevice,
): Promise<void> =>
  transact(ctx, async (tx) => {
    const user = await lockOwner(tx, view)
    if (!(await renamePasskey(tx.db, user.id, id, name))) throw new AppError('NOT_FOUND')
    const details = { passkey: id, name }
    await recordAudit(tx, { event: 'passkey_renamed', actor: user, target: user.id, device, details })
  })
