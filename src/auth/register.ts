import { auditedContact, recordAudit } from '../audit/record.ts'
import type { Context, Transaction, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import { sendVerification } from '../email-addresses/send-verification.ts'
import { checkRegistration } from '../hooks/registration-check.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError, emailTaken, phoneTaken, userNameTaken } from '../lib/errors.ts'
import { newUserName } from '../lib/ids.ts'
import { assertGoodPassword, normalPassword } from '../passwords/policy.ts'
import { notifyOwner } from '../registration/notify-owner.ts'
import { candidateOf, isRegistrationOpen, registerUser } from '../registration/register-user.ts'
import { type CreatedSession, createSession } from '../sessions/create-session.ts'
import type { NewUser, UserCreation } from '../users/create-user.ts'
import { emailField } from '../users/fields.ts'
import { readChanges } from '../users/read-changes.ts'

export interface RegistrationInput {
  email: string
  password: string
  name?: string
  last_name?: string
  user_name?: string
  phone?: string
  lang?: string
  picture?: string
  tmz?: string
  flow?: string
}

export interface RegistrationResult {
  /** Undefined if the email address is taken and the response must not reveal this. */
  user: UserRow | undefined
  /** In canonical form. The values are the same for new and taken email addresses. */
  requested: Pick<NewUser, 'email' | 'name' | 'last_name' | 'user_name'>
  session: CreatedSession | undefined
}

/** Creates a customer, regardless of the role in the request. */
export async function register(
  ctx: Context,
  input: RegistrationInput,
  device: RequestDevice,
  replaces: readonly string[],
): Promise<RegistrationResult> {
  if (!isRegistrationOpen(ctx, 'password')) {
    await recordAudit(ctx, { event: 'register', outcome: 'failure', device, details: { reason: 'disabled' } })
    throw new AppError('REGISTRATION_DISABLED')
  }
  const fields = readFields(ctx, input)
  const password = normalPassword(input.password)
  await assertGoodPassword(ctx, 'password', password, fields)
  // Called for taken addresses as well so that neither the duration nor the hook's response reveals whether an address
  // is taken.
  const registration = { ...fields, method: 'password', is_verified: false, device } as const
  const check = await checkRegistration(ctx, candidateOf(registration))
  // Hashed before any lookup so that requests take the same time for taken and new email addresses.
  const password_hash = await ctx.passwords.hash(password)
  return transact(ctx, async (tx) => {
    const creation = await registerUser(tx, { ...registration, password_hash }, check)
    if ('isClosed' in creation) throw new AppError('REGISTRATION_DISABLED')
    if ('taken' in creation) return taken(tx, creation.taken, fields, device)
    await sendVerification(tx, creation.user, { device, flow: input.flow })
    const waits = ctx.config.VERIFY_REGISTRATION || ctx.config.REGISTRATION_REVEAL === 'hide'
    const signIn = { userId: creation.user.id, proof: 'registration' as const, device, replaces }
    return { user: creation.user, requested: fields, session: waits ? undefined : await createSession(tx, signIn) }
  }).then(rejectTaken)
}

type Fields = Omit<NewUser, 'password_hash' | 'user_type' | 'is_verified'>

function readFields(ctx: Context, { email, flow: _flow, ...input }: RegistrationInput): Fields {
  const { user_name = newUserName(), ...members } = readChanges(ctx, input)
  return { ...members, email: emailField('email', email), user_name }
}

type TakenField = Extract<UserCreation, { taken: unknown }>['taken']
interface Rejected {
  refused: AppError
}

// A taken user name or phone number is reported in preference to a taken email address, so that the response does not
// reveal whether the address is known. The error is returned instead of thrown so that the audit event is committed.
async function taken(
  tx: Transaction,
  values: TakenField,
  requested: Fields,
  device: RequestDevice,
): Promise<RegistrationResult | Rejected> {
  const details = {
    address: auditedContact(tx, requested.email),
    taken: Object.keys(values).filter((name) => values[name as keyof TakenField]),
  }
  await recordAudit(tx, { event: 'register_existing', outcome: 'failure', device, details })
  if (values.user_name) return { refused: userNameTaken() }
  if (values.phone) return { refused: phoneTaken() }
  if (tx.config.REGISTRATION_REVEAL === 'compat') return { refused: emailTaken() }
  await notifyOwner(tx, requested.email, device)
  return { user: undefined, requested, session: undefined }
}

function rejectTaken(result: RegistrationResult | Rejected): RegistrationResult {
  if ('refused' in result) throw result.refused
  return result
}
