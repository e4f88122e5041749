import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction, UserRow } from '../context.ts'
import type { Candidate } from '../hooks/registration-check.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { newUserName } from '../lib/ids.ts'
import { firstLanguage } from '../outbox/messages.ts'
import { createUser } from '../users/create-user.ts'
import { takenValues } from '../users/queries.ts'

/** An email address can be registered only if no user has it, not even a deleted one. */
export async function mayRegister(ctx: Context, contact: string): Promise<boolean> {
  if (!isAllowed(ctx) || !contact.includes('@')) return false
  return !(await takenValues(ctx.db, { email: contact, user_name: '', phone: null })).email
}

/** Creates a verified user. Returns undefined if the email address is now taken or registration is off. */
export async function registerNewcomer(
  tx: Transaction,
  email: string,
  { device, check }: { device: RequestDevice; check: (candidate: Candidate) => void },
): Promise<UserRow | undefined> {
  if (!isAllowed(tx)) return undefined
  check({ method: 'login_link', email, email_verified: true, ...firstLanguage(device), device })
  const creation = await createUser(tx, {
    email,
    password_hash: null,
    user_name: newUserName(),
    user_type: 'customer',
    is_verified: true,
    ...firstLanguage(device),
  })
  if ('taken' in creation) return undefined
  const { user } = creation
  const details = { by: 'login_token' }
  await recordAudit(tx, { event: 'register', actor: user, target: user.id, device, details })
  return user
}

const isAllowed = ({ config }: Context): boolean => config.TOKEN_LOGIN_AUTO_REGISTER && config.REGISTRATION_ENABLED
