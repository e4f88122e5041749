import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import { denialReason } from '../http/access/permissions.ts'
import { AppError, emailTaken, invalidField, phoneTaken, userNameTaken } from '../lib/errors.ts'
import { newUserName } from '../lib/ids.ts'
import { enqueueMail } from '../outbox/enqueue.ts'
import { assertGoodPassword, normalPassword } from '../passwords/policy.ts'
import { issueInvitation } from '../passwords/request-reset.ts'
import { createUser, type NewUser, type UserCreation } from '../users/create-user.ts'
import { emailField, userTypeField } from '../users/fields.ts'
import { readChanges, type UserMembersInput } from '../users/read-changes.ts'
import { recordingDenial } from './locked-target.ts'
import { type Actor, lockPrincipal, type Principal, rightsOf } from './principal.ts'
import { noteSuperadmin } from './setup-link.ts'

export interface CreationInput
  extends Pick<UserMembersInput, 'name' | 'last_name' | 'user_name' | 'phone' | 'title' | 'lang'> {
  email: string
  password?: string
  send_invite?: boolean
  user_type?: string
  is_verified?: boolean
}

export async function createByAdmin(ctx: Context, principal: Principal, input: CreationInput): Promise<UserRow> {
  const { device } = principal
  const user = readInput(ctx, input)
  const password_hash = await hashOf(ctx, input, user)
  const create = async (tx: Transaction): Promise<UserRow> => {
    const actor = await lockPrincipal(tx, principal)
    const rejection = denialReason(
      ctx.staff,
      rightsOf(actor),
      { id: '', user_type: user.user_type },
      { action: 'create' },
    )
    if (rejection) throw new AppError(rejection)
    const creation = await createUser(tx, { ...user, password_hash })
    if ('taken' in creation) throw takenError(creation.taken)
    const { id, user_type, is_verified } = creation.user
    await noteSuperadmin(tx, creation.user)
    const details = { user_type, is_verified, ...(input.send_invite && { invited: true }) }
    await recordAudit(tx, { event: 'admin_user_created', actor, target: id, device, details })
    if (input.send_invite) await inviteUser(tx, creation.user, inviterName(actor))
    return creation.user
  }
  const details = () => ({ deed: 'create', user_type: user.user_type })
  return recordingDenial(ctx, { actor: principal.actor, device, details }, () => transact(ctx, create))
}

function readInput(ctx: Context, input: CreationInput): Omit<NewUser, 'password_hash'> {
  const { email, user_type, is_verified, password: _password, send_invite: _invite, ...members } = input
  const { user_name, ...changes } = readChanges(ctx, members)
  return {
    ...changes,
    email: emailField('email', email),
    user_name: user_name ?? newUserName(),
    user_type: user_type === undefined ? 'customer' : userTypeField('user_type', user_type, ctx),
    // Invited users verify their email address by opening the invitation.
    is_verified: is_verified ?? !input.send_invite,
  }
}

async function hashOf(
  ctx: Context,
  { password: chosen, send_invite }: CreationInput,
  owner: Omit<NewUser, 'password_hash'>,
): Promise<string | null> {
  if (chosen === undefined && (send_invite || !ctx.config.PASSWORDS_ENABLED)) return null
  if (chosen === undefined) throw invalidField('password', 'is required without send_invite')
  const password = normalPassword(chosen)
  await assertGoodPassword(ctx, 'password', password, owner)
  return ctx.passwords.hash(password)
}

/** Empty for an operator, and for administrators who have not entered a name. */
export const inviterName = (actor: Actor): string =>
  actor.id === null ? '' : [actor.name, actor.last_name].filter((part) => part !== '').join(' ')

/** Emails the user a link for setting a password, or for signing in if there are no passwords. `invitedBy` is the name of the administrator, or empty. */
export async function inviteUser(tx: Transaction, user: UserRow, invitedBy = ''): Promise<void> {
  const lifetime = tx.config.INVITE_TTL
  const { url, expiresAt } = await issueInvitation(tx, user, lifetime)
  const variables = { name: user.name, url, expires_in: String(lifetime / 1000), invited_by: invitedBy }
  await enqueueMail(tx, { message: 'account_created', to: user.email, lang: user.lang, variables, expiresAt })
}

function takenError({ email, user_name }: Extract<UserCreation, { taken: unknown }>['taken']): AppError {
  if (email) return emailTaken()
  return user_name ? userNameTaken() : phoneTaken()
}
