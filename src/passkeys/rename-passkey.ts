import { recordAudit } from '../audit/record.ts'
import type { Context, SessionView } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../lib/errors.ts'
import type { SignInDevice } from '../sessions/remembered-browsers.ts'
import { methodNameField } from '../users/fields.ts'
import { renamePasskey } from '../webauthn/queries.ts'
import { lockOwner } from './change-rights.ts'

export async function rename(
  ctx: Context,
  view: SessionView,
  { id, name: text }: { id: string; name: string },
  { device }: SignInDevice,
): Promise<void> {
  const name = methodNameField('name', text)
  await transact(ctx, async (tx) => {
    const user = await lockOwner(tx, view)
    if (!(await renamePasskey(tx.db, user.id, id, name))) throw new AppError('NOT_FOUND')
    const details = { passkey: id, name }
    await recordAudit(tx, { event: 'passkey_renamed', actor: user, target: user.id, device, details })
  })
}
