import { recordAudit } from '../audit/record.ts'
import type { Context, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { RequestDevice } from '../http/access/device.ts'
import type { RequestKey } from '../http/credentials/authenticate-key.ts'
import { readProfileScope } from '../http/credentials/scopes.ts'
import { AppError } from '../lib/errors.ts'
import { lockUser, withoutPassword } from '../users/queries.ts'
import { readChanges, type UserMembersInput } from '../users/read-changes.ts'
import { writeChanges } from './write-changes.ts'

/** Users sign in with these, or prove with them who they are. A stolen key must not take the account over. */
const forSignedInUsers = ['email', 'current_password', 'phone', 'user_name'] as const

type KeyInput = UserMembersInput & Partial<Record<(typeof forSignedInUsers)[number], string | undefined>>

/**
 * Changes the profile of the user of a key. The response contains the profile, so the key must be able to read it as well.
 * Throws KEY_NOT_ACCEPTED and INSUFFICIENT_SCOPE.
 */
export async function updateProfileByKey(
  ctx: Context,
  { view, scopes }: RequestKey,
  input: KeyInput,
  device: RequestDevice,
): Promise<UserRow> {
  if (!view.user) throw new AppError('KEY_NOT_ACCEPTED')
  if (!scopes.includes(readProfileScope)) throw new AppError('INSUFFICIENT_SCOPE', { required: [readProfileScope] })
  const refused = forSignedInUsers.filter((member) => input[member] !== undefined)
  if (refused.length > 0)
    throw new AppError('KEY_NOT_ACCEPTED', { sentence: `Sign in to change ${refused.join(', ')}` })
  const requested = readChanges(ctx, input)
  const { id } = view.user
  return transact(ctx, async (tx) => {
    const found = await lockUser(tx, id)
    if (!found) throw new AppError('INVALID_CREDENTIAL')
    const { user, details } = await writeChanges(tx, withoutPassword(found), requested, { isProven: false, device })
    if (details) {
      const about = { ...details, credential: view.id }
      await recordAudit(tx, { event: 'profile_updated', actor: user, target: id, device, details: about })
    }
    return user
  })
}
