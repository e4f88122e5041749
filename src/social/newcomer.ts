import { recordAudit } from '../audit/record.ts'
import type { Transaction, UserRow } from '../context.ts'
import { sendVerification } from '../email-addresses/send-verification.ts'
import type { Candidate } from '../hooks/registration-check.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { newUserName } from '../lib/ids.ts'
import { firstLanguage } from '../outbox/messages.ts'
import { createUser } from '../users/create-user.ts'
import { addIdentity, IdentityConflict } from './identities.ts'
import type { ProviderIdentity } from './provider.ts'
import { SocialRefusal } from './refusal.ts'

/** Creates a user of the type `customer`. The email address counts as verified if the provider has verified it. */
export async function newcomer(
  tx: Transaction,
  identity: ProviderIdentity,
  { device, check }: { device: RequestDevice; check: (candidate: Candidate) => void },
): Promise<UserRow> {
  const { SOCIAL_AUTO_REGISTER, REGISTRATION_ENABLED } = tx.config
  if (!SOCIAL_AUTO_REGISTER || !REGISTRATION_ENABLED) throw new SocialRefusal('registration_disabled')
  const { email = '', emailVerified, name, lastName, picture, provider } = identity
  const members = { name, last_name: lastName, ...firstLanguage(device) }
  check({ method: 'social', provider, email, email_verified: emailVerified, ...members, device })
  const creation = await createUser(tx, {
    email,
    password_hash: null,
    user_name: newUserName(),
    user_type: 'customer',
    is_verified: emailVerified,
    picture,
    ...members,
  })
  if ('taken' in creation) throw new IdentityConflict()
  const { user } = creation
  if (!(await addIdentity(tx, user.id, identity))) throw new IdentityConflict()
  const details = { by: 'social', provider }
  await recordAudit(tx, { event: 'register', actor: user, target: user.id, device, details })
  if (!emailVerified) await sendVerification(tx, user, { device })
  return user
}
