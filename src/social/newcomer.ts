import type { Transaction, UserRow } from '../context.ts'
import { sendVerification } from '../email-addresses/send-verification.ts'
import type { RegistrationCheck } from '../hooks/registration-check.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { registerUser } from '../registration/register-user.ts'
import { addIdentity, IdentityConflict } from './identities.ts'
import type { ProviderIdentity } from './provider.ts'
import { SocialRejection } from './rejection.ts'

/** Creates a user of the type `customer`. The email address counts as verified if the provider has verified it. */
export async function newcomer(
  tx: Transaction,
  identity: ProviderIdentity,
  { device, check, registers }: { device: RequestDevice; check: RegistrationCheck; registers: boolean },
): Promise<UserRow> {
  if (!registers) throw new SocialRejection('registration_disabled')
  const { email = '', emailVerified, name, lastName, picture, provider } = identity
  const names = { name, last_name: lastName }
  const registration = { provider, email, is_verified: emailVerified, ...names, picture, device }
  const creation = await registerUser(tx, { method: 'social', ...registration }, check)
  if ('isClosed' in creation) throw new SocialRejection('registration_disabled')
  if ('taken' in creation) throw new IdentityConflict()
  const { user } = creation
  if (!(await addIdentity(tx, user.id, identity))) throw new IdentityConflict()
  if (!emailVerified) await sendVerification(tx, user, { device })
  return user
}
