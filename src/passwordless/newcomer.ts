import type { Context, Transaction, UserRow } from '../context.ts'
import type { RegistrationCheck } from '../hooks/registration-check.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { isRegistrationOpen, registerUser } from '../registration/register-user.ts'
import { takenValues } from '../users/queries.ts'

/** An email address can be registered only if no user has it, not even a deleted one. */
export async function mayRegister(ctx: Context, contact: string): Promise<boolean> {
  if (!isRegistrationOpen(ctx, 'login_link') || !contact.includes('@')) return false
  return !(await takenValues(ctx.db, { email: contact, user_name: '', phone: null })).email
}

/** Creates a verified user. Returns undefined if the email address is now taken or registration is off. */
export async function registerNewcomer(
  tx: Transaction,
  email: string,
  { device, check }: { device: RequestDevice; check: RegistrationCheck },
): Promise<UserRow | undefined> {
  const creation = await registerUser(tx, { method: 'login_link', email, is_verified: true, device }, check)
  return 'user' in creation ? creation.user : undefined
}
