import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction } from '../context.ts'
import type { Candidate, RegistrationCheck } from '../hooks/registration-check.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { newUserName } from '../lib/ids.ts'
import { firstLanguage } from '../outbox/messages.ts'
import { createUser, type NewUser, type UserCreation } from '../users/create-user.ts'

type Method = Candidate['method']

/** All members must be validated and in canonical form. */
export interface NewRegistration extends Partial<Omit<NewUser, 'email' | 'is_verified' | 'user_type'>> {
  /** By default, a new id. */
  id?: string
  method: Method
  email: string
  /** Whether the person has proven that the email address is theirs. */
  is_verified: boolean
  /** With the method `social`. */
  provider?: string
  device: RequestDevice
}

/** The setting that allows the method, in addition to REGISTRATION_ENABLED, and the audit event's details. */
const methods: Record<Method, { setting?: 'SOCIAL_AUTO_REGISTER' | 'TOKEN_LOGIN_AUTO_REGISTER'; by?: string }> = {
  password: {},
  passkey: { by: 'passkey' },
  social: { setting: 'SOCIAL_AUTO_REGISTER', by: 'social' },
  login_link: { setting: 'TOKEN_LOGIN_AUTO_REGISTER', by: 'login_token' },
}

export function isRegistrationOpen({ config }: Pick<Context, 'config'>, method: Method): boolean {
  const { setting } = methods[method]
  return config.REGISTRATION_ENABLED && (setting === undefined || config[setting])
}

/**
 * Creates a user who registers without an administrator: always a customer, and only if the registration hook has
 * allowed it. Returns `isClosed` if the settings do not allow the method.
 */
export async function registerUser(
  tx: Transaction,
  registration: NewRegistration,
  check: RegistrationCheck,
): Promise<UserCreation | { isClosed: true }> {
  const { method, provider, device, ...fields } = registration
  if (!isRegistrationOpen(tx, method)) return { isClosed: true }
  check(candidateOf(registration))
  const creation = await createUser(tx, {
    password_hash: null,
    ...firstLanguage(device),
    ...fields,
    user_name: fields.user_name ?? newUserName(),
    user_type: 'customer',
  })
  if ('taken' in creation) return creation
  const { user } = creation
  const { by } = methods[method]
  const details = by && { by, ...(provider && { provider }) }
  await recordAudit(tx, { event: 'register', actor: user, target: user.id, device, ...(details && { details }) })
  return creation
}

/** The part of a registration that the registration hook receives. */
export function candidateOf({ method, provider, email, is_verified, device, ...fields }: NewRegistration): Candidate {
  const { name, last_name, user_name, phone, lang = firstLanguage(device).lang } = fields
  const members = { name, last_name, user_name, phone, lang }
  return { method, provider, email, email_verified: is_verified, ...members, device }
}
